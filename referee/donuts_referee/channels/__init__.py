"""What a transport offers: links to bots, and one wait over all of them. No message is understood in this room."""
