"""Who watches SIGINT."""


def may_watch_sigint() -> bool:
    """Whether Ctrl-C would raise KeyboardInterrupt here: a call of the core then stops for it."""
    # The public getsignal() makes an enum member: that takes longer than a small model's run.
    import _signal  # type: ignore[import-not-found]

    if _signal.getsignal(_signal.SIGINT) is not _signal.default_int_handler:
        return False
    import threading

    return threading.current_thread() is threading.main_thread()
