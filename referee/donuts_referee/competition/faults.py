"""What can be wrong with an event as others hand it on.

RecordsFault
+- ArchiveFault    a zip file is damaged, cut off or made to do harm
"""

from donuts_referee.records.faults import RecordsFault

__all__ = ["ArchiveFault"]


class ArchiveFault(RecordsFault):
    """A zip file is not what an event is handed on in; the text names file, member and fault."""
