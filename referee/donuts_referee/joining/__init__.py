"""A bot on pipes that holds a seat at an arena: the bridge between the two, its socket and its words."""
