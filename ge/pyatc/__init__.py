"""The command ``pyatc``: ATC's command line in the current process."""
