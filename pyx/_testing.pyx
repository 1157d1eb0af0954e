"""ge._testing: windows into single stages of the compiler, for the project's own tests."""

import json
import os
import tempfile

from libc.stdint cimport int64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from core cimport (
    CallFromThreads, Claim, ClaimSpan, HookPaths, ImportAsJson, OperatorStoresAsJson, PassesAsJson,
    PlanClaims, RunKernel, RunNode, RunPassesAsJson, SetHookLoader, SnakeCaseOf, Status, TestTensor,
)
from hook_loader cimport load_hooks
from status cimport problems_of

SetHookLoader(load_hooks)


class CompileError(Exception):
    """What a stage found wrong; ``problems`` has a dict (code, message, cause, solution) each."""

    def __init__(self, problems):
        super().__init__("\n".join(f"{p['code']}: {p['message']}" for p in problems))
        self.problems = problems


def import_onnx(model, *, allow_unknown_inputs=True, passes=()):
    """Import an ONNX model and run the named passes on it.

    Args:
        model: A path, or the bytes of a model.
        allow_unknown_inputs: Keep unknown dims of inputs, and accept a model without inputs.
        passes: Names of passes, run in this order.

    Returns:
        The graph as a dict: see ``ImportAsJson`` in core/api/testing.h.

    Raises:
        CompileError: The model cannot be compiled.
    """
    if isinstance(model, bytes):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.onnx")
            with open(path, "wb") as file:
                file.write(model)
            return import_onnx(path, allow_unknown_inputs=allow_unknown_inputs, passes=passes)
    cdef string path_bytes = os.fsencode(model)
    cdef vector[string] names = [name.encode() for name in passes]
    cdef bint allow = allow_unknown_inputs
    cdef string graph
    cdef Status status
    with nogil:
        status = ImportAsJson(path_bytes, allow, names, &graph)
    check(status)
    return json.loads(graph.decode())


def run_passes(graph, passes):
    """Run the named passes on a graph.

    Args:
        graph: A dict of the form that ``RunPassesAsJson`` in core/api/testing.h reads.
        passes: Names of passes, run in this order.

    Returns:
        The graph after them, with ``changed``: one bool for each pass.

    Raises:
        CompileError: A pass failed.
    """
    cdef string before = json.dumps(graph).encode()
    cdef vector[string] names = [name.encode() for name in passes]
    cdef string after
    cdef Status status
    with nogil:
        status = RunPassesAsJson(before, names, &after)
    check(status)
    return json.loads(after.decode())


def passes():
    """All passes in the order they run, a dict (name, atc_name, kind) each."""
    cdef string rows
    with nogil:
        rows = PassesAsJson()
    return json.loads(rows.decode())


def run_node(op_type, inputs, attrs=None, *, outputs=1, plain=False, threads=1, repeat=1):
    """Run the kernel of one GE operator.

    Args:
        op_type: A GE operator type.
        inputs: ``(dtype, shape, bytes)`` each, then ``"const"``, the name of a format, or both;
            ``None`` for an optional input left out.
        attrs: Attributes of the node.
        outputs: How many outputs the node has.
        plain: Run the kernel that works without the optional library.
        threads: How many threads the kernel may use.
        repeat: How often it is run; the fastest run is timed.

    Returns:
        Outputs as ``(dtype, shape, bytes)``, and a dict of facts: see ``RunNode`` in
        core/api/testing.h.

    Raises:
        CompileError: The shape rule or the kernel refused.
    """
    cdef vector[TestTensor] given, results
    given.resize(len(inputs))
    for i, row in enumerate(inputs):
        given[i].present = row is not None
        if row is None:
            continue
        given[i].dtype = row[0].encode()
        given[i].shape = row[1]
        given[i].bytes = bytes(row[2])
        given[i].constant = "const" in row[3:]
        for name in row[3:]:
            if name != "const":
                given[i].format = name.encode()
    node = {"type": op_type, "attrs": attrs or {}, "outputs": outputs}
    cdef string text = json.dumps(node).encode()
    cdef string facts
    cdef bint is_plain = plain
    cdef int thread_count = threads, repeat_count = repeat
    cdef Status status
    with nogil:
        status = RunNode(text, given, is_plain, thread_count, repeat_count, &results, &facts)
    check(status)
    rows = [
        (results[i].dtype.decode(), tuple(results[i].shape), <bytes>results[i].bytes)
        for i in range(results.size())
    ]
    return rows, json.loads(facts.decode())


def run_kernel(kernel, inputs):
    """Run a kernel file that an operator in Python recorded.

    Args:
        kernel: Its bytes: see docs/kernel-format.md.
        inputs: ``(shape, bytes)`` each.

    Returns:
        Outputs as ``(dtype, shape, bytes)``.

    Raises:
        CompileError: The kernel is damaged, or does not take these shapes.
    """
    cdef vector[TestTensor] given, results
    given.resize(len(inputs))
    for i, (shape, data) in enumerate(inputs):
        given[i].shape = shape
        given[i].bytes = bytes(data)
    cdef string text = kernel
    cdef Status status
    with nogil:
        status = RunKernel(text, given, &results)
    check(status)
    return [
        (results[i].dtype.decode(), tuple(results[i].shape), <bytes>results[i].bytes)
        for i in range(results.size())
    ]


cdef check(const Status& status):
    if not status.ok():
        names = ("code", "message", "cause", "solution")
        raise CompileError([dict(zip(names, texts)) for texts in problems_of(status)])


def plan_claims(claims, *, reuse=True):
    """Place ``(first step, last step, bytes)`` claims; return their offsets and the arena size."""
    cdef vector[Claim] rows
    cdef Claim row
    for first, last, size in claims:
        row.first_step = first
        row.last_step = last
        row.bytes = size
        rows.push_back(row)
    total = PlanClaims(ClaimSpan(rows.data(), rows.size()), reuse)
    return [rows[i].offset for i in range(rows.size())], total


def call_from_threads(str function, int threads, int calls):
    """Call the Python function "module:name" from native threads, `calls` times in all.

    Its argument is the number of the call, as text.

    Returns:
        What each call gave, its reply or "kind: error"; and nanoseconds of the fastest call.
    """
    cdef vector[string] replies
    cdef string name = function.encode()
    cdef int64_t fastest = 0
    cdef Status status
    with nogil:
        status = CallFromThreads(name, threads, calls, &replies, &fastest)
    check(status)
    return [(<bytes>reply).decode() for reply in replies], fastest


def snake_case(str op_type):
    """The name that the file of an operator type has."""
    cdef string name = op_type.encode()
    return SnakeCaseOf(name).decode()


def operator_stores(custom, operators="", str family="Ascend310P"):
    """What the stores of these paths hold: see core/api/operator_stores.h."""
    cdef HookPaths paths
    cdef string soc_family = family.encode()
    cdef string found
    paths.custom_operators = os.fsencode(custom)
    paths.operators = os.fsencode(operators)
    check(OperatorStoresAsJson(paths, soc_family, &found))
    return json.loads(found.decode())
