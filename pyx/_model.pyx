"""ge._model: arrays in, one core call without the GIL, buffers and exceptions out."""

import os

cimport cython
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBUF_SIMPLE, PyBUF_STRIDES, PyBUF_WRITABLE
from cpython.buffer cimport PyBuffer_Release, PyObject_GetBuffer
from cpython.pyport cimport PY_SSIZE_T_MAX
from cython.operator cimport dereference as deref
from libc.stdint cimport int64_t, uint8_t
from libcpp.memory cimport shared_ptr, unique_ptr
from libcpp.string cimport string
from libcpp.vector cimport vector

from core cimport (
    DataType, FactsOf, GraphsAsJson, InputArray, InputSpan, InterruptWatch, Model, ModelFactsRead,
    ModelPort, ModelWeight, NodeTime, OpenModel, OutputArray, OwnedBytes, Result, RowOfDataType,
    RunModel, RunOptions, Shape, Status, WeightsOf,
)
from status cimport problems_of

# Formats of the buffer protocol, by the name of the dtype.  Types without one are bytes.
FORMATS = {
    "float32": "f", "float16": "e", "float64": "d", "bool": "?", "int8": "b", "uint8": "B",
    "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q",
    "bfloat16": "H", "complex64": "Zf", "complex128": "Zd", "float8_e4m3fn": "B",
    "float8_e5m2": "B", "float8_e8m0": "B",
}

cdef int DTYPE_COUNT = 64  # more than DataType has
cdef dict NUMBERS = {RowOfDataType(<DataType>i).user_name.data().decode(): i
                     for i in range(DTYPE_COUNT - 1, -1, -1)}
# Bits of an element; types that have no fixed size are left out.
BITS = {name: RowOfDataType(<DataType><int>number).bits for name, number in NUMBERS.items()
        if RowOfDataType(<DataType><int>number).bits > 0}


cdef class Buffer:
    """A tensor that others read in place; it owns its memory or shares that of the model."""

    cdef readonly str dtype
    cdef readonly tuple shape  # of the tensor, which the buffer has too unless it is bytes
    cdef OwnedBytes owned
    cdef shared_ptr[const Model] model  # keeps the memory of a weight
    cdef bint readonly
    cdef const uint8_t* data
    cdef uint8_t nothing  # what a tensor without elements points to
    cdef Py_ssize_t nbytes
    cdef Py_ssize_t itemsize
    cdef bytes format
    cdef vector[Py_ssize_t] dims
    cdef vector[Py_ssize_t] strides

    cdef describe(self, DataType dtype, const Shape& shape, const uint8_t* data, size_t nbytes):
        """Set what is behind the buffer; a dtype that has no format becomes one row of bytes."""
        self.dtype = name_of(dtype)
        self.data = data if data != NULL else &self.nothing
        self.nbytes = nbytes
        dims = dims_of(shape)
        self.shape = tuple(dims)
        self.itemsize = BITS[self.dtype] // 8 if self.dtype in FORMATS else 1
        self.format = FORMATS.get(self.dtype, "B").encode()
        if self.dtype not in FORMATS:
            dims = [self.nbytes]
        elif (
            min(dims, default=0) < 0
            or count(dims) * self.itemsize != nbytes
            or count([dim or 1 for dim in dims]) * self.itemsize > PY_SSIZE_T_MAX
        ):
            # An NPU's own layout, in a foreign model; or damage.
            dims = [self.nbytes // self.itemsize]
            self.nbytes = dims[0] * self.itemsize
            self.shape = tuple(dims)
        step = self.itemsize
        self.strides.resize(len(dims))
        for axis in range(len(dims) - 1, -1, -1):
            self.strides[axis] = step
            step *= dims[axis]
        for dim in dims:
            self.dims.push_back(dim)

    def __getbuffer__(self, Py_buffer* view, int flags):
        if self.readonly and flags & PyBUF_WRITABLE == PyBUF_WRITABLE:
            raise BufferError("the weights of a model are read-only")
        view.buf = <void*>self.data
        view.obj = self
        view.len = self.nbytes
        view.readonly = self.readonly
        view.itemsize = self.itemsize
        view.format = <char*>self.format if flags & PyBUF_FORMAT == PyBUF_FORMAT else NULL
        view.ndim = <int>self.dims.size()
        view.shape = self.dims.data() if flags & PyBUF_ND == PyBUF_ND else NULL
        view.strides = self.strides.data() if flags & PyBUF_STRIDES == PyBUF_STRIDES else NULL
        view.suboffsets = NULL
        view.internal = NULL


cdef class Held:
    """The memory of an object with a buffer, held until this is gone."""

    cdef Py_buffer view

    def __cinit__(self, owner):
        PyObject_GetBuffer(owner, &self.view, PyBUF_SIMPLE)

    def __dealloc__(self):
        PyBuffer_Release(&self.view)


cdef class OpenedModel:
    """An OM that is open for as long as this lives."""

    cdef shared_ptr[const Model] model

    def facts(self):
        """Return ``ModelFactsRead`` of core/api/model.h as a dict."""
        cdef const ModelFactsRead* facts = &FactsOf(deref(self.model))
        return {
            "name": text(facts.name),
            "soc_version": text(facts.soc_version),
            "version": text(facts.version),
            "framework": text(facts.framework),
            "command_line": text(facts.command_line),
            "runnable": facts.runnable,
            "not_runnable_reason": text(facts.not_runnable_reason),
            "slow_reason": text(facts.slow_reason),
            "file_bytes": facts.file_bytes,
            "weight_bytes": facts.weight_bytes,
            "arena_bytes": facts.arena_bytes,
            "has_unknown_sizes": facts.has_unknown_sizes,
            "packed_bytes": facts.packed_bytes,
            "inputs": ports(facts.inputs),
            "outputs": ports(facts.outputs),
        }

    def weights(self):
        """Return (name, Buffer) of every constant."""
        cdef vector[ModelWeight] weights
        cdef size_t i
        cdef Buffer buffer
        cdef list rows = []
        with nogil:
            weights = WeightsOf(deref(self.model))
        for i in range(weights.size()):
            weight = &weights[i]
            buffer = Buffer()
            buffer.model = self.model
            buffer.readonly = True
            buffer.describe(weight.dtype, weight.shape, weight.bytes.data(), weight.bytes.size())
            rows.append((text(weight.name), buffer))
        return rows

    def graphs(self):
        """Return ``GraphsAsJson`` of core/api/model.h."""
        cdef string graphs
        with nogil:
            graphs = GraphsAsJson(deref(self.model))
        return graphs.decode(errors="replace")

    def run(self, inputs, int threads, bint profile, bint interruptible, bint poison=False):
        """Run the model once.

        Args:
            inputs: ``(name or "", dtype, shape, C-contiguous object with a buffer)`` each.
            threads: How many; 0 leaves it to the core.
            profile: Measure nodes.
            interruptible: Let the first SIGINT stop the run; only for the main thread.
            poison: Overwrite memory that is no longer needed (for tests of the memory plan).

        Returns:
            A Buffer per output, and (name, type, calls, nanoseconds) of every node or None.
        """
        cdef vector[InputArray] arrays
        cdef vector[OutputArray] outputs
        cdef vector[NodeTime] times
        cdef RunOptions options
        cdef Status status
        cdef unique_ptr[InterruptWatch] watch
        cdef bint interrupted = False
        cdef list held = []
        for name, dtype, shape, owner in inputs:
            add_array(&arrays, name, dtype, shape, owner, held)
        options.threads = threads
        options.poison = poison
        if profile:
            options.profile = &times
        if interruptible:
            watch.reset(new InterruptWatch())
            options.cancelled = deref(watch).flag()
        with nogil:
            status = RunModel(
                deref(self.model), InputSpan(arrays.data(), arrays.size()), options, &outputs
            )
        if watch:
            interrupted = deref(watch).interrupted()
            watch.reset()
        if interrupted:
            raise KeyboardInterrupt
        check(status, "run")
        return results(outputs), time_rows(times) if profile else None


@cython.cpp_locals(True)
def open_model(path):
    """Open the OM at ``path``.

    Raises:
        ge.errors.ModelFileError: It is damaged, or of a kind that is not read.
    """
    cdef string path_bytes = os.fsencode(path)
    cdef OpenedModel opened = OpenedModel()
    cdef Result[shared_ptr[const Model]] result
    with nogil:
        result = OpenModel(path_bytes)
    check(result.status(), "open")
    opened.model = result.value()
    return opened


cdef add_array(vector[InputArray]* arrays, str name, str dtype, shape, owner, list held):
    """Append one input; `held` keeps its memory."""
    cdef InputArray row
    cdef vector[int64_t] dims
    cdef Held memory = Held(owner)
    if memory.view.len != (count(shape) * BITS[dtype] + 7) // 8:
        raise ValueError(f"{memory.view.len} bytes are no {dtype} of shape {tuple(shape)}")
    for dim in shape:
        dims.push_back(dim)
    held.append(memory)
    row.name = name.encode(errors="surrogateescape")
    row.dtype = <DataType><int>NUMBERS[dtype]
    row.shape = Shape(dims)
    row.data = memory.view.buf
    arrays.push_back(row)


cdef list results(vector[OutputArray]& outputs):
    """Take over the memory of the results."""
    cdef size_t i
    cdef OutputArray* output
    cdef Buffer buffer
    cdef list buffers = []
    for i in range(outputs.size()):
        output = &outputs[i]
        buffer = Buffer()
        buffer.owned.swap(output.data)
        buffer.describe(output.dtype, output.shape, buffer.owned.get(), output.bytes)
        buffers.append(buffer)
    return buffers


cdef list ports(const vector[ModelPort]& ports):
    """Return (name, dtype, dims, ranges) of each; a dim of -1 is unknown, dims None the rank."""
    cdef size_t i
    cdef const ModelPort* port
    cdef list rows = []
    for i in range(ports.size()):
        port = &ports[i]
        dims = None if port.shape.unknown_rank() else dims_of(port.shape)
        ranges = [(port.range[axis].first, port.range[axis].second)
                  for axis in range(<int>port.range.size())]
        rows.append((text(port.name), name_of(port.dtype), dims, ranges))
    return rows


cdef list time_rows(const vector[NodeTime]& times):
    cdef size_t i
    cdef const NodeTime* row
    cdef list rows = []
    for i in range(times.size()):
        row = &times[i]
        rows.append((text(row.name), text(row.type), row.calls, row.nanoseconds))
    return rows


cdef list dims_of(const Shape& shape):
    return [shape.dims()[axis] for axis in range(<int>shape.dims().size())]


cdef count(shape):
    """Elements of a shape."""
    elements = 1
    for dim in shape:
        elements *= dim
    return elements


cdef str name_of(DataType dtype):
    return RowOfDataType(dtype).user_name.data().decode()


cdef str text(const string& value):
    """Names of files made by others need not be UTF-8; what is not comes back as it was."""
    return value.decode(errors="surrogateescape")


cdef check(const Status& status, str action):
    """Raise the exception of a failed Status."""
    if not status.ok():
        from ge.errors import from_problems  # only on the way out: the good path imports nothing

        raise from_problems(problems_of(status), action)
