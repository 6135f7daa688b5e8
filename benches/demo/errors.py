"""The one error of the demo."""


class DemoError(Exception):
    """Something differs, is missing or took too long. The message is for users."""
