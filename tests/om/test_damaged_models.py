"""Opening and running files that are cut off or changed: an exception or a result, no crash."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from om.om_files import build_om, read_om

import ge.om
from ge.errors import GeError

FOREIGN = ["flow_model", "gemm_singleop", "hiai_softmax", "three_blocks"]


def use(path):
    """Do all that can be done with a file that may be damaged."""
    try:
        model = ge.om.load(path)
        assert model.summary()
        for value in model.weights.values():
            bytes(value)
        small = all(
            port.shape is not None and np.prod([dim or 1 for dim in port.shape]) < 1e6
            for port in model.inputs
        )
        if model.runnable and small:
            dtypes = [port.dtype for port in model.inputs]
            shapes = [[1 if dim is None else dim for dim in port.shape] for port in model.inputs]
            model(*(np.zeros(*pair) for pair in zip(shapes, dtypes, strict=True)))
    except (GeError, MemoryError) as error:
        assert str(error) or isinstance(error, MemoryError)
    except TypeError as error:  # a dtype of the file that NumPy does not have
        assert "data type" in str(error)


@pytest.fixture(scope="session")
def sources(add_om, index_om, samples):
    files = {name: (samples / f"{name}.om").read_bytes() for name in FOREIGN}
    return files | {"add": add_om.read_bytes(), "index": index_om.read_bytes()}


NAMES = st.sampled_from([*FOREIGN, "add", "index", "add", "index"])


@given(NAMES, st.data())
def test_cut_off_files(sources, tmp_path_factory, name, data):
    whole = sources[name]
    path = tmp_path_factory.getbasetemp() / "cut.om"
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(GeError):
        ge.om.load(path)


@given(NAMES, st.data())
def test_changed_bytes(sources, tmp_path_factory, name, data):
    damaged = bytearray(sources[name])
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, 400) | st.integers(0, len(damaged) - 1))
        damaged[place] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "changed.om"
    path.write_bytes(damaged)
    use(path)


@given(NAMES, NAMES, st.data())
def test_partitions_of_another_model(sources, tmp_path_factory, name, other, data):
    """Graph, weights and tasks that do not belong together."""
    folder = tmp_path_factory.getbasetemp()
    files = []
    for which in (name, other):
        path = folder / "whole.om"
        path.write_bytes(sources[which])
        files.append(dict(read_om(path).blocks[0]))
    mixed = [
        (kind, files[data.draw(st.booleans())].get(kind, value)) for kind, value in files[0].items()
    ]
    path = folder / "mixed.om"
    path.write_bytes(build_om([mixed]))
    use(path)


@given(st.binary(max_size=300), st.binary(max_size=300))
@example(b"", b"")
def test_any_task_list_and_weights(sources, tmp_path_factory, tasks, weights):
    folder = tmp_path_factory.getbasetemp()
    path = folder / "whole.om"
    path.write_bytes(sources["add"])
    parts = dict(read_om(path).blocks[0]) | {1: weights, 2: tasks}
    path.write_bytes(build_om([list(parts.items())]))
    use(path)
