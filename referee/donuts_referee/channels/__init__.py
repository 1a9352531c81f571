"""What a transport offers: links to bots and one wait over them; no message is understood in this room."""
