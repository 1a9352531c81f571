"""What all tests share: examples may take as long as a busy machine needs, and children are as a user's would be."""

import os

from hypothesis import settings

os.environ.pop("PYTHONUNBUFFERED", None)  # it would hide what is never flushed

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
