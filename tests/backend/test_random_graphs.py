"""Random graphs, compiled in several ways and run from the OM, give what onnxruntime gives.

``HYPOTHESIS_PROFILE=explore`` runs thousands of them.
"""

import numpy as np
import onnxruntime
import pytest
from backend.conftest import clear_names
from conformance.check import compile_model
from hypothesis import HealthCheck, event, given, reject, settings
from hypothesis import strategies as st
from random_graphs.graph import graphs

import ge.om
from ge import _testing
from ge.errors import RunError

NO_REUSE = ["--disable_reuse_memory=1"]
NO_PASSES = ["--oo_level=O1", "--optimization_switch=AABiasaddConvFusion:off"]
INPUTS, DATA, SHAPES = "input", "data", "shape"  # kinds of leaves


def expected_results(graph):
    """Outputs by onnxruntime; a graph that it cannot run is drawn anew."""
    model = graph.model()
    clear_names(model.graph)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, ["CPUExecutionProvider"]
        )
        return session.run([value.name for value in graph.outputs], graph.feeds())
    except Exception as error:  # it has no base class for its own
        event(f"onnxruntime: {error}"[:150])
        reject()


def run_om(path, feeds):
    """Outputs of the OM; all ways to run it must agree in every bit."""
    with ge.om.load(path) as model:
        ports = [port.name for port in model.inputs]
        assert set(ports) <= set(feeds)
        rows = [(name, feeds[name]) for name in ports]
        results = []
        for threads, poison in ((1, False), (2, True), (3, False)):
            buffers, _ = model._run(rows, threads, profile=False, poison=poison)
            results.append([np.asarray(array) for array in model._by_name(buffers).values()])
    for other in results[1:]:
        assert same_bits(results[0], other), "poisoned memory or threads change the result"
    return results[0]


def same_bits(ours, others):
    pairs = zip(ours, others, strict=True)
    return all(a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in pairs)


def check_close(graph, results, expected, what):
    for value, got, wanted in zip(graph.outputs, results, expected, strict=True):
        about = f"{what}: output {value.name}"
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), about
        if value.exact:
            np.testing.assert_array_equal(got, wanted, about)
        else:
            wide = np.float64
            np.testing.assert_allclose(
                got.astype(wide), wanted.astype(wide), 0, 4 * value.error, err_msg=about
            )


def compiled(folder, model, flags=(), may_be_refused=None):
    """The OM; a refusal of which the text holds ``may_be_refused`` draws the graph anew."""
    source, output = folder / "model.onnx", folder / "model"
    source.write_bytes(model.SerializeToString())
    fault = compile_model(source, output, list(flags))
    if fault and may_be_refused and may_be_refused in fault:
        event("refused")
        reject()
    assert fault is None, fault
    return folder / "model.om"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("random")


LARGE = settings(
    max_examples=3 * settings.default.max_examples,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@LARGE
@given(graph=graphs())
def test_all_ways_to_compile_a_graph_agree_with_onnxruntime(folder, graph):
    expected = expected_results(graph)
    # As drawn; without constants; with nothing but constants.
    for inputs in ((INPUTS,), (INPUTS, DATA), ()):
        feeds, model = graph.feeds(inputs), graph.model(inputs)
        results = [run_om(compiled(folder, model, flags), feeds) for flags in ((), NO_REUSE)]
        assert same_bits(*results), f"{inputs}: reuse of memory changes the result"
        check_close(graph, results[0], expected, f"inputs {inputs}")
        if inputs:
            plain = run_om(compiled(folder, model, NO_PASSES), feeds)
            check_close(graph, plain, expected, f"inputs {inputs}, without passes")


@LARGE
@given(graph=graphs(), off=st.sets(st.sampled_from([row["name"] for row in _testing.passes()])))
def test_any_passes_may_be_off(folder, graph, off):
    expected = expected_results(graph)
    switches = ";".join(f"{name}:off" for name in sorted(off))
    flags = [f"--optimization_switch={switches}"] if off else []
    results = run_om(compiled(folder, graph.model(), flags), graph.feeds())
    check_close(graph, results, expected, f"without {switches}")


@LARGE
@given(graph=graphs(least_trips=1))
def test_sizes_that_are_only_known_at_run_time_change_nothing(folder, graph):
    expected = expected_results(graph)
    for inputs in ((INPUTS, DATA), (INPUTS, DATA, SHAPES)):
        flags = [f"--input_shape={words}"] if (words := graph.open_shapes(inputs)) else []
        # With the target of a Reshape or the indices of a GatherND unknown the rank is too, without
        # which some cannot be built.
        path = compiled(folder, graph.model(inputs, open_dims=True), flags, "unknown rank")
        try:
            results = run_om(path, graph.feeds(inputs))
        except RunError as error:  # and a MatMul counts on matrices
            if "2 or more dims are accepted" not in str(error):
                raise
            reject()
        check_close(graph, results, expected, f"open {inputs}")
