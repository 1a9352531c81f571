import random
def say(s): print(s, flush=True)
say("hello donuts=1-1 name=random")
while True:
    verb, *args = input().split()
    fields = dict(a.split("=", 1) for a in args if "=" in a)
    if verb == "turn": say(f"move {args[0]} {random.choice(fields['legal'].split(','))}")
    elif verb == "game": say(f"ready {args[0]}")
    elif verb == "ping": say(f"pong {args[0]}")
    elif verb == "bye": break
