"""Why games cannot be analysed.

AnalysisFault
+- Unplayable     the moves of a game break the rules, or its record does not hold: there is nothing to be believed
+- SearchFault    the solver is not installed, or a process that searched is gone
"""

__all__ = ["AnalysisFault", "SearchFault", "Unplayable"]


class AnalysisFault(Exception):
    """The trunk of the tree; the text is one line fit for an operator."""


class Unplayable(AnalysisFault):
    """The moves of a game break the rules, or its record is not in accord with them."""


class SearchFault(AnalysisFault):
    """There is nobody to search, or no longer."""
