"""What a team hands in: a folder with a bot.toml, its limits, and the hashes that show whether it changed."""
