"""An open offline model."""

import operator
import os
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from ge._model import Buffer, OpenedModel, open_model
from ge._signals import may_watch_sigint
from ge.errors import ClosedError, InputError, Problem
from ge.om._arrays import ArrayError, as_array, as_tensor
from ge.om._graph import Graph, parse_graphs, shape_of, shape_text

_logged: set[str] = set()


def _log_once(text: str) -> None:
    """Log what slows down every model, the first time that it does."""
    if text in _logged:
        return
    _logged.add(text)
    import logging  # not needed where everything is in place

    logging.getLogger("ge.om").warning("%s", text)


_MOST_THREADS = 1 << 20  # the core uses fewer


class Port(NamedTuple):
    """One input or output of a model."""

    name: str
    dtype: str  # as NumPy names it: "float32"; "bfloat16" where NumPy has none
    shape: tuple[int | None, ...] | None  # a dim of None, or None as a whole: known at run time
    range: tuple[tuple[int, int | None], ...] | None  # least and greatest per dim; None: all fixed

    def __str__(self) -> str:
        return f"{self.name} {self.dtype}{shape_text(self.shape)}"


class Memory(NamedTuple):
    """What a model takes, in bytes."""

    arena_bytes: int  # of one run, as far as sizes are known before
    weight_bytes: int  # of the file, mapped and not copied
    packed_bytes: int  # weights kept a second time in a faster layout
    has_unknown_sizes: bool  # some tensors get memory of their own while the model runs


class NodeTime(NamedTuple):
    """How long one node took."""

    name: str
    type: str
    calls: int
    seconds: float  # of all calls


class Profile(NamedTuple):
    """What :meth:`Model.profile` returns."""

    outputs: dict[str, Any]
    nodes: tuple[NodeTime, ...]  # in the order they ran


class Model:
    """An open offline model. Several threads may use it at once.

    Attributes:
        path: The file, as it was given.
        name: Of the model, stored in the file.
        inputs, outputs: A :class:`Port` each.
        soc_version, framework, made_by, command_line: As stored; empty where the file has none.
        runnable: Whether this machine's CPU can run it; ``not_runnable_reason`` says why not.
        file_bytes: Size of the file.
        memory: What it takes.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        os.stat(self.path)  # a file that is not there is an OSError, as everywhere in Python
        opened = open_model(self.path)
        facts = opened.facts()
        self._opened: OpenedModel | None = opened
        self._graphs: tuple[Graph, ...] | None = None
        self._weights: Mapping[str, Any] | None = None
        self.name: str = facts["name"]
        self.inputs = tuple(_port(*row) for row in facts["inputs"])
        self.outputs = tuple(_port(*row) for row in facts["outputs"])
        self.soc_version: str = facts["soc_version"]
        self.framework: str = facts["framework"]
        self.made_by: str = facts["version"]
        self.command_line: str = facts["command_line"]
        self.runnable: bool = facts["runnable"]
        self.not_runnable_reason: str = facts["not_runnable_reason"]
        self.file_bytes: int = facts["file_bytes"]
        self.memory = Memory(*(facts[field] for field in Memory._fields))
        if facts["slow_reason"]:
            _log_once(facts["slow_reason"])

    def run(self, inputs: Mapping[str, Any], *, threads: int | None = None) -> dict[str, Any]:
        """Run the model once.

        Args:
            inputs: An array per input, by its name: a NumPy array, any object with a buffer, or a
                :class:`Tensor`. Dtype and shape must be those of the port. Arrays are read in
                place; one that is not C-contiguous is copied first.
            threads: At most so many; by default ``GE_NUM_THREADS``, else the CPUs that this
                process may use. Results do not depend on it.

        Returns:
            The outputs by name, in the order of :attr:`outputs`: NumPy arrays if NumPy is
            installed, else memoryviews. bfloat16, float8 and types of less than a byte are those
            of ml_dtypes; where that is not installed, their bits.

        Raises:
            InputError: Inputs are missing, unknown, or of another dtype or shape; all at once.
            NotRunnableError: (E10055) The model holds NPU tasks.
            RunError: (E14001) A node failed, for example on an index out of range.
            ClosedError: The model is closed.
            KeyboardInterrupt: Ctrl-C while the main thread was here.
        """
        buffers, _ = self._run(_items(inputs), threads, profile=False)
        return self._by_name(buffers)

    def __call__(self, *arrays: Any, threads: int | None = None) -> tuple[Any, ...]:
        """Run the model once on arrays in the order of :attr:`inputs`; return its outputs.

        See :meth:`run`.
        """
        buffers, _ = self._run((("", array) for array in arrays), threads, profile=False)
        return tuple(as_array(buffer) for buffer in buffers)

    def profile(self, inputs: Mapping[str, Any], *, threads: int | None = None) -> Profile:
        """Run the model once, as :meth:`run` does, and measure every node."""
        buffers, times = self._run(_items(inputs), threads, profile=True)
        rows = (NodeTime(name, kind, calls, ns / 1e9) for name, kind, calls, ns in times or ())
        return Profile(self._by_name(buffers), tuple(rows))

    @property
    def graph(self) -> Graph:
        """The graph that the model runs."""
        return self.graphs[0]

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """All graphs: the one that the model runs, then the branches of ``If`` and the like."""
        if self._graphs is None:
            self._graphs = parse_graphs(self._open().graphs())
        return self._graphs

    @property
    def weights(self) -> Mapping[str, Any]:
        """The constants by name: read-only arrays, in the memory of the mapped file.

        They are NumPy arrays or memoryviews as the outputs of :meth:`run` are, and stay valid
        when the model is closed. A second constant of the same name is called ``name#2``.
        """
        if self._weights is None:
            arrays: dict[str, Any] = {}
            for name, buffer in self._open().weights():
                unique, number = name, 2
                while unique in arrays:
                    unique, number = f"{name}#{number}", number + 1
                arrays[unique] = as_array(buffer)
            self._weights = MappingProxyType(arrays)
        return self._weights

    def summary(self) -> str:
        """Return what the model is, takes and gives, as text of a few lines."""
        from ge.om._summary import summary

        return summary(self)

    def close(self) -> None:
        """Let go of the file. Runs that are under way end well; later ones are refused."""
        self._opened = None

    @property
    def closed(self) -> bool:
        return self._opened is None

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self.closed else "open" if self.runnable else "open, not runnable here"
        return f"<ge.om.Model {self.path!r}, {state}>"

    def _open(self) -> OpenedModel:
        opened = self._opened
        if opened is None:
            raise ClosedError([Problem("E10001", f"The model {self.path} is closed.")])
        return opened

    def _run(
        self,
        inputs: Iterable[tuple[str, Any]],
        threads: int | None,
        *,
        profile: bool,
        poison: bool = False,  # overwrite memory that is no longer needed, for tests of the plan
    ) -> tuple[list[Buffer], list[tuple[str, str, int, int]] | None]:
        opened = self._open()
        if threads is not None and operator.index(threads) < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        rows = self._rows(inputs) if self.runnable else []  # else the core says why not
        most = min(threads or 0, _MOST_THREADS)
        return opened.run(rows, most, profile, may_watch_sigint(), poison)

    def _rows(self, inputs: Iterable[tuple[str, Any]]) -> list[tuple[str, str, Any, Any]]:
        """Return what the core takes; all that it does not check is checked here."""
        dtypes = {port.name: port.dtype for port in self.inputs}
        rows, faults = [], []
        for index, (name, value) in enumerate(inputs):
            if not isinstance(name, str):
                raise TypeError(f"names of inputs are text, not {name!r}")
            port = self.inputs[index].name if not name and index < len(self.inputs) else name
            try:
                tensor = as_tensor(value, dtypes.get(port))
                rows.append((name, tensor.dtype, tensor.shape, tensor.data))
            except ArrayError as fault:
                faults.append(Problem("E10001", f"Input [{port or index}] {fault}."))
        if faults:
            takes = ", ".join(str(port) for port in self.inputs)
            advice = f"Give NumPy arrays, other objects with a buffer, or ge.om.Tensor: {takes}."
            faults[-1] = faults[-1]._replace(solution=advice)
            raise InputError(faults)
        return rows

    def _by_name(self, buffers: list[Buffer]) -> dict[str, Any]:
        return {
            port.name: as_array(buffer) for port, buffer in zip(self.outputs, buffers, strict=True)
        }


def load(path: str | os.PathLike[str]) -> Model:
    """Open an offline model of any maker.

    The file stays mapped; weights are not read before they are needed.

    Args:
        path: The ``.om`` file.

    Raises:
        ModelFileError: It is damaged or no offline model (E10041), or of a kind that is not read
            (E10055).
        OSError: There is no such file, or it cannot be read.
    """
    return Model(path)


def _port(name: str, dtype: str, dims: list[int] | None, ranges: list[tuple[int, int]]) -> Port:
    limits = tuple((least, None if most < 0 else most) for least, most in ranges)
    return Port(name, dtype, shape_of(dims), limits or None)


def _items(inputs: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    if not isinstance(inputs, Mapping):
        what = type(inputs).__name__
        raise TypeError(f"inputs are a dict of arrays by name, not a {what}: see Model.__call__")
    return inputs.items()
