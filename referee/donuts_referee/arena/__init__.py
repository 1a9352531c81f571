"""The server that bots dial in to: who may sit down, who plays whom, and what is kept of it."""
