"""What holds for all tests: generated examples have no deadline, as a busy machine is no fault of the code."""

from hypothesis import settings

settings.register_profile("ragdash", deadline=None)
settings.load_profile("ragdash")
