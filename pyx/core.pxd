# What the Cython modules see of the C++ core: one block per header of core/api.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport shared_ptr
from libcpp.pair cimport pair
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "base/status.h" namespace "ge" nogil:
    cdef cppclass ErrorId:
        pass

    cdef cppclass ErrorRow:
        string_view code

    const ErrorRow& RowOf(ErrorId id)

    cdef cppclass Problem:
        ErrorId id
        string message
        string cause
        string solution
        string node

    cdef cppclass Status:
        cbool ok()
        const vector[Problem]& problems()

    cdef cppclass Result[T]:
        cbool ok()
        const Status& status()
        T& value "operator*"()


cdef extern from "base/dtype.h" namespace "ge" nogil:
    cdef enum class DataType:
        kUndefined

    cdef cppclass DataTypeRow:
        string_view user_name
        int bits

    const DataTypeRow& RowOfDataType "ge::RowOf"(DataType dtype)


cdef extern from "base/shape.h" namespace "ge" nogil:
    cdef cppclass Shape:
        Shape()
        Shape(vector[int64_t] dims)
        const vector[int64_t]& dims()
        cbool unknown_rank()


cdef extern from "base/interrupt.h" namespace "ge" nogil:
    cdef cppclass AtomicBool "std::atomic<bool>":
        pass

    cdef cppclass InterruptWatch:
        InterruptWatch()
        const AtomicBool* flag()
        cbool interrupted()


cdef extern from "<memory>" nogil:
    cdef cppclass OwnedBytes "std::unique_ptr<uint8_t[]>":
        uint8_t* get()
        void swap(OwnedBytes&)


cdef extern from "<span>" nogil:
    cdef cppclass ByteSpan "std::span<const uint8_t>":
        const uint8_t* data()
        size_t size()

    cdef cppclass InputSpan "std::span<const ge::InputArray>":
        InputSpan(InputArray*, size_t)


cdef extern from "api/model.h" namespace "ge" nogil:
    cdef cppclass Model:
        pass

    cdef cppclass ModelPort:
        string name
        DataType dtype
        Shape shape
        vector[pair[int64_t, int64_t]] range

    cdef cppclass ModelFactsRead:
        string path
        string name
        string soc_version
        string version
        string framework
        string command_line
        cbool runnable
        string not_runnable_reason
        string slow_reason
        uint64_t file_bytes
        uint64_t weight_bytes
        uint64_t arena_bytes
        cbool has_unknown_sizes
        uint64_t packed_bytes
        vector[ModelPort] inputs
        vector[ModelPort] outputs

    cdef cppclass ModelWeight:
        string name
        DataType dtype
        Shape shape
        ByteSpan bytes

    cdef cppclass InputArray:
        string name
        DataType dtype
        Shape shape
        const void* data

    cdef cppclass OutputArray:
        DataType dtype
        Shape shape
        OwnedBytes data
        uint64_t bytes

    cdef cppclass NodeTime:
        string name
        string type
        int64_t calls
        int64_t nanoseconds

    cdef cppclass RunOptions:
        int threads
        vector[NodeTime]* profile
        const AtomicBool* cancelled
        cbool poison


cdef extern from "api/model.h" namespace "ge::api" nogil:
    Result[shared_ptr[const Model]] OpenModel(const string& path) except +
    const ModelFactsRead& FactsOf(const Model& model)
    vector[ModelWeight] WeightsOf(const Model& model) except +
    string GraphsAsJson(const Model& model) except +
    Status RunModel(
        const Model& model,
        InputSpan inputs,
        const RunOptions& options,
        vector[OutputArray]* outputs,
    ) except +


cdef extern from "api/compile.h" namespace "ge" nogil:
    cdef cppclass CompileResult:
        string om_path
        vector[Problem] warnings


cdef extern from "options/compile_settings.h" namespace "ge" nogil:
    cdef cppclass Setting:
        string name
        string value

    cdef cppclass CompileJob:
        vector[Setting] settings
        int model_descriptor
        string model_path
        const AtomicBool* cancelled

    cdef cppclass Compiled:
        CompileResult result

    Status CompileBySettings(const CompileJob& job, Compiled* compiled) except +
    Status ReportOf(const Compiled& compiled, string* json) except +
    string BoolText(const string& flag, cbool value) except +
    vector[string] CompileFlags() except +


cdef extern from "<span>" nogil:
    cdef cppclass ClaimSpan "std::span<ge::Claim>":
        ClaimSpan(Claim*, size_t)


cdef extern from "api/testing.h" namespace "ge" nogil:
    cdef cppclass Claim:
        uint32_t first_step
        uint32_t last_step
        uint64_t bytes
        uint64_t offset

    cdef cppclass TestTensor:
        cbool present
        cbool constant
        string dtype
        string format
        vector[int64_t] shape
        string bytes


cdef extern from "api/testing.h" namespace "ge::api" nogil:
    Status RunNode(
        const string& node, const vector[TestTensor]& inputs, cbool plain, int threads, int repeat,
        vector[TestTensor]* outputs, string* facts
    ) except +
    Status ImportAsJson(
        const string& path, cbool allow_unknown, const vector[string]& passes, string* json
    ) except +
    string PassesAsJson()
    Status RunPassesAsJson(
        const string& graph, const vector[string]& passes, string* json
    ) except +
    uint64_t PlanClaims(ClaimSpan claims, cbool reuse) except +
