"""The table: two players, their clocks, one game after the other, and a verdict for every ending."""
