"""Where kernels are built: here, in processes, or by an executor that the user gives."""

import concurrent.futures
import contextlib
import contextvars
import importlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any

from ge._operators import _build
from ge._operators._faults import refusal

# By ge.compile(..., executor=...), whose thread is the one that calls for kernels.
_given: contextvars.ContextVar[Executor] = contextvars.ContextVar("executor")
_made: dict[str, Executor] = {}  # by GE_COMPILE_EXECUTOR and TE_PARALLEL_COMPILER
_FEWEST, _MOST = 1, 32


@contextlib.contextmanager
def use(executor: Executor) -> Iterator[None]:
    """Have ``executor`` build the kernels of compiles by this thread."""
    token = _given.set(executor)
    try:
        yield
    finally:
        _given.reset(token)


def current(operators: int) -> Executor | None:
    """Return the executor that shall be used; None: the calling thread builds.

    Raises:
        ValueError: A variable of the environment names none.
    """
    if operators == 0:
        return None
    if executor := _given.get(None):
        return executor
    factory = os.environ.get("GE_COMPILE_EXECUTOR")
    if factory:
        if factory not in _made:
            _made[factory] = _executor_of(factory)
        return _made[factory]
    count = _count_of(_wanted()[1])
    if count is None:
        return None
    key = f"{count} processes"
    if key not in _made:
        _made[key] = _processes(count)
    return _made[key]


def warnings() -> list[dict[str, str]]:
    """Return what is wrong with the environment, and ignored."""
    variable, text = _wanted()
    if not text or _count_of(text) is not None:
        return []
    reason = f"accepted are {_FEWEST} to {_MOST}; operators are compiled in this process"
    return [{"env": variable, "value": text, "reason": reason}]


def _wanted() -> tuple[str, str]:
    """Return the variable that says how many processes, by its new or its old name, and it."""
    for name in ("TE_PARALLEL_COMPILER", "TBE_PARALLEL_COMPILER"):
        if text := os.environ.get(name, ""):
            return name, text
    return "", ""


def _count_of(text: str) -> int | None:
    is_number = text.isascii() and text.isdigit() and len(text) < 4
    return int(text) if is_number and _FEWEST <= int(text) <= _MOST else None


def _executor_of(factory: str) -> Executor:
    module, _, name = factory.partition(":")
    try:
        make: Callable[[], Executor] = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"GE_COMPILE_EXECUTOR={factory} is not MODULE:FUNCTION of a function that returns a"
            f" concurrent.futures.Executor: {error}"
        ) from error
    return make()


# Run by a new process: the package of this one may be on no path there, and Ctrl-C, which the
# terminal sends to all processes, is for the one that compiles.
_PREPARE = """
import importlib.util, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
if "ge" not in sys.modules:
    spec = importlib.util.spec_from_file_location(
        "ge", folder + "/__init__.py", submodule_search_locations=[folder])
    sys.modules["ge"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["ge"])
"""


def _processes(count: int) -> Executor:
    import multiprocessing

    folder = os.path.dirname(os.path.dirname(__file__))
    return concurrent.futures.ProcessPoolExecutor(
        count,
        mp_context=multiprocessing.get_context("forkserver"),
        initializer=exec,
        initargs=(_PREPARE, {"folder": folder}),
    )


def build(pool: Executor, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Build by an executor; each worker imports operators for itself."""
    futures: list[Future[dict[str, Any]]] = []
    try:
        with _without_main():
            futures += [pool.submit(build_one, row) for row in rows]
            return [_result(*pair) for pair in zip(futures, rows, strict=True)]
    except concurrent.futures.BrokenExecutor as error:
        for key in [key for key, made in _made.items() if made is pool]:
            del _made[key]
        nodes = ", ".join(row["node"] for row in rows)
        reason = f"a worker process died while it compiled one of [{nodes}]: {error}"
        fault = {"file": _build.file_of(rows[0]), "fault": refusal(reason)}
        return [fault] + [{} for _ in rows[1:]]
    finally:
        for future in futures:
            future.cancel()


def _result(future: "Future[dict[str, Any]]", row: dict[str, Any]) -> dict[str, Any]:
    try:
        return future.result()
    except concurrent.futures.BrokenExecutor:
        raise
    except Exception as error:  # of the executor: build_one reports those of operators
        reason = f"the executor could not compile it: {type(error).__name__}: {error}"
        return {"file": _build.file_of(row), "fault": refusal(reason)}


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Hide the user's main module, which workers would import, while they start."""
    import sys

    main = sys.modules["__main__"]
    hidden = {name: getattr(main, name) for name in ("__spec__", "__file__") if hasattr(main, name)}
    main.__spec__ = None
    if hasattr(main, "__file__"):
        del main.__file__
    try:
        yield
    finally:
        for name, value in hidden.items():
            setattr(main, name, value)


def build_one(row: dict[str, Any]) -> dict[str, Any]:
    """Build one kernel in a worker."""
    from ge._operators import _modules
    from ge._shim import shim

    modules = _modules.Modules()
    with _modules.lock, shim(row["soc"]):
        try:
            return _build.build(row, modules)
        finally:
            modules.forget()
