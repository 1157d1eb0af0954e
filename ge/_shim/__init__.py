"""What TBE operators import, so that their Python runs in a compile without CANN.

``tbe``, ``te``, ``topi``, ``impl.util`` and a stub of ``mindspore`` exist only inside of
:func:`shim`. Compute functions record graphs of GE operators; ``build`` writes such a graph as a
kernel, which the host engine runs (docs/kernel-format.md). Programs for the device itself (TIK,
AscendC, schedules by hand) are refused by name.

    from ge._shim import shim
    with shim("Ascend310P3"):
        import vendor_impl.add
        vendor_impl.add.add(x, y, z, kernel_name="add")
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from ge import _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ge._shim.finder import Swap

_lock = threading.Lock()
_users = 0
_swap: Swap | None = None


@contextlib.contextmanager
def shim(soc: str | None = None) -> Iterator[None]:
    """Make the modules that operators import exist, until the last of several users is done.

    Args:
        soc: The SoC that this thread compiles for.

    Raises:
        RuntimeError: The engine is CANN, whose own modules must not be hidden.
    """
    global _users, _swap
    if _engine.current.name != "builtin":
        raise RuntimeError("the engine is CANN: its own tbe and te compile operators")
    from ge._shim import build, expr, finder, platform, register

    with _lock:
        if _users == 0:
            _swap = finder.Swap()
        _users += 1
    before = platform.chosen()
    try:
        if soc is not None:
            platform.set_current_compile_soc_info(soc)
        yield
    finally:
        platform.choose(before)
        with _lock:
            _users -= 1
            if _users == 0 and _swap is not None:
                _swap.undo()
                _swap = None
                register.clear()
                expr.forget()
                build.set_kernel_meta_parent(None)
