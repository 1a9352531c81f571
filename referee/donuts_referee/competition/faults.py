"""What can be wrong with an event as others hand it on, or with what is asked of one.

RecordsFault
+- ArchiveFault    a zip file is damaged, cut off or made to do harm
+- NoSuchBot       no game of the records is one of the bot that was named
"""

from donuts_referee.records.faults import RecordsFault

__all__ = ["ArchiveFault", "NoSuchBot"]


class ArchiveFault(RecordsFault):
    """A zip file is not what an event is handed on in; the text names file, member and fault."""


class NoSuchBot(RecordsFault):
    """The records have no game of this bot."""
