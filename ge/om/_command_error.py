"""How a command of ``python3 -m ge.om`` fails."""


class CommandError(Exception):
    """What ends a command with status 1 and this message."""
