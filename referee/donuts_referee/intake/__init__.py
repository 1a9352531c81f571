"""Takes in what teams handed in: builds each bot, checks it, and tells its team in private what is to be mended."""
