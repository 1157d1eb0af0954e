# What the Cython modules see of the C++ core: one block per header of core/api.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport shared_ptr
from libcpp.optional cimport optional
from libcpp.pair cimport pair
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "base/status.h" namespace "ge" nogil:
    cdef cppclass ErrorId:
        cbool operator==(ErrorId)

    ErrorId kInterrupted "ge::ErrorId::kInterrupted"

    cdef cppclass Problem:
        ErrorId id
        string message
        string cause
        string solution
        string node

    string_view CodeOf(const Problem& problem)

    cdef cppclass Status:
        cbool ok()
        ErrorId id()
        const vector[Problem]& problems()

    cdef cppclass Result[T]:
        cbool ok()
        const Status& status()
        T& value "operator*"()


cdef extern from "base/dtype.h" namespace "ge" nogil:
    cdef enum class DataType:
        kUndefined
        kFloat
        kFloat16
        kInt8
        kInt16
        kInt32
        kInt64
        kUint8
        kUint16
        kUint32
        kUint64
        kDouble
        kBool
        kComplex64
        kComplex128

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


cdef extern from "api/hooks.h" namespace "ge" nogil:
    cdef cppclass Graph:
        pass

    cdef enum class HookKind "ge::HookOutcome::Kind":
        kDone
        kNoModule
        kRaised
        kInterrupted
        kExit

    cdef cppclass HookOutcome:
        HookKind kind
        string error
        string traceback
        string interpreter
        string details

    cdef cppclass HookTable:
        HookOutcome (*call)(const string&, const string&, string*) noexcept
        HookOutcome (*call_with_graph)(const string&, Graph*, const string&, string*) noexcept
        void* (*enter_thread)() noexcept
        void (*leave_thread)(void*) noexcept

    ctypedef int (*HookLoader)(char* reason, size_t size) noexcept

    void SetHookLoader "ge::api::SetHookLoader"(HookLoader loader)
    void SetHooks "ge::api::SetHooks"(const HookTable* hooks)


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


cdef extern from "base/small_vector.h" namespace "ge" nogil:
    cdef cppclass Dims "ge::SmallVector<int64_t, 4>":
        size_t size()
        const int64_t& operator[](size_t index)
        void push_back(int64_t dim) except +
        cbool operator==(const Dims&)


cdef extern from "<variant>" namespace "std" nogil:
    const T& get[T](const OpAttr& value)


cdef extern from "api/aclop_desc.h" namespace "ge" nogil:
    cdef cppclass DimRange:
        int64_t least
        int64_t most

    cdef cppclass OpTensorDesc:
        int32_t dtype
        int32_t format
        int32_t storage_format
        int32_t placement
        Dims dims
        Dims storage_dims
        vector[DimRange] shape_range
        vector[DimRange] value_range
        string name
        string dynamic_input
        shared_ptr[const vector[uint8_t]] constant
        cbool is_const()
        cbool is_absent()

    cdef cppclass OpBuffer:
        void* data
        size_t bytes

    cdef cppclass OpDtype:
        int32_t number

    cdef cppclass OpAttr:
        size_t index()

    cdef cppclass OpAttrMap "ge::OpAttrs::Map":
        cppclass const_iterator:
            const pair[string, OpAttr]& operator*()
            const_iterator operator++()
            cbool operator!=(const_iterator)
        const_iterator begin()
        const_iterator end()
        size_t size()

    cdef cppclass OpAttrs:
        void Set[T](const string& name, T value) except +
        cbool Remove(const string& name)
        const OpAttr* Find(const string& name)
        const OpAttrMap& values()


cdef extern from "api/aclop_desc.h" namespace "ge::api" nogil:
    size_t AclDtypeSize(int32_t dtype)
    size_t AclElements(const OpTensorDesc& desc)
    size_t AclBytes(const OpTensorDesc& desc)
    Dims MemoryDims(const OpTensorDesc& desc) except +
    size_t MemoryBytes(const OpTensorDesc& desc) except +
    float AclFp16ToFloat(uint16_t value)
    uint16_t AclFloatToFp16(float value)
    string AclAttrsText(const OpAttrs& attrs) except +


cdef extern from "api/aclop.h" namespace "ge" nogil:
    cdef cppclass AclStatus:
        int32_t code
        string text

    cdef cppclass OpRuntime:
        pass

    cdef cppclass OpHandle:
        pass

    cdef cppclass OpStream:
        pass

    cdef cppclass OpCall:
        const char* op_type
        int num_inputs
        const OpTensorDesc** input_descs
        const OpBuffer** inputs
        int num_outputs
        OpTensorDesc** output_descs
        const OpBuffer** outputs
        const OpAttrs* attrs
        int32_t engine_type
        int32_t compile_flag
        const char* op_path

    cdef cppclass OpKernelChoice:
        string kernel_id
        uint32_t block_dim
        vector[uint8_t] args
        vector[size_t] workspaces

    ctypedef int32_t (*OpSelector)(const OpCall& call, OpKernelChoice& choice) noexcept

    cdef cppclass OpKernel:
        const char* op_type
        const char* kernel_id
        const char* kernel_name
        void* data
        int bytes
        int32_t engine_type

    cdef cppclass NearestOp:
        string description
        vector[string] differences


cdef extern from "api/aclop.h" namespace "ge::api" nogil:
    OpRuntime& ProcessOpRuntime()
    string_view AclCodeName(int32_t code)
    AclStatus SetOpSoc(OpRuntime& runtime, const string& name) except +
    string OpSocName(OpRuntime& runtime) except +
    AclStatus CompileOp(OpRuntime& runtime, const OpCall& call) except +
    AclStatus CompileAndExecuteOp(
        OpRuntime& runtime, const OpCall& call, OpStream* stream, cbool refresh
    ) except +
    AclStatus ExecuteOp(
        OpRuntime& runtime, const OpCall& call, OpStream* stream, cbool checks_buffers
    ) except +
    NearestOp FindNearestOp(OpRuntime& runtime, const OpCall& call) except +
    cbool HasOpWarnings(const OpRuntime& runtime)
    vector[string] TakeOpWarnings(OpRuntime& runtime) except +
    uint64_t OpBuildCount(const OpRuntime& runtime)
    AclStatus CreateOpHandle(OpRuntime& runtime, const OpCall& call, OpHandle** handle) except +
    AclStatus ExecuteOpHandle(
        const OpHandle* handle, int num_inputs, const OpBuffer** inputs, int num_outputs,
        const OpBuffer** outputs, OpStream* stream
    ) except +
    void DestroyOpHandle(OpHandle* handle)
    cbool CastTakesTruncate(OpRuntime& runtime) except +
    AclStatus InferOpShape(OpRuntime& runtime, const OpCall& call, const char* opp_path) except +
    AclStatus SetOpOption(OpRuntime& runtime, int32_t opt, const char* value) except +
    size_t OpOptionSize(const OpRuntime& runtime, int32_t opt)
    AclStatus GetOpOption(OpRuntime& runtime, int32_t opt, char* value, size_t length) except +
    AclStatus SetOpCompileFlag(OpRuntime& runtime, int32_t flag) except +
    AclStatus SetMaxOpQueueNum(OpRuntime& runtime, uint64_t limit) except +
    AclStatus WriteOpModel(OpRuntime& runtime, const OpCall& call, const string& path) except +
    AclStatus LoadOpModel(OpRuntime& runtime, const void* model, size_t bytes) except +
    AclStatus LoadOpModelDir(OpRuntime& runtime, const char* folder) except +
    AclStatus DumpOpGraph(OpRuntime& runtime, const OpCall& call, const char* path) except +
    AclStatus AddOpKernel(OpRuntime& runtime, const OpKernel& kernel) except +
    AclStatus AddOpSelector(
        OpRuntime& runtime, const char* op_type, OpSelector selector
    ) except +
    AclStatus RemoveOpSelector(OpRuntime& runtime, const char* op_type) except +
    AclStatus UpdateOpParams(OpRuntime& runtime, const OpCall& call) except +


cdef extern from "api/compile.h" namespace "ge" nogil:
    cdef cppclass CompileResult:
        string om_path
        vector[Problem] warnings


cdef extern from "api/soc.h" namespace "ge::api" nogil:
    string SocAsJson(const string& name) except +

cdef extern from "api/version.h" namespace "ge::api" nogil:
    string_view Version()


cdef extern from "options/compile_settings.h" namespace "ge" nogil:
    cdef cppclass Setting:
        string name
        string value

    cdef cppclass CompileJob:
        vector[Setting] settings
        int model_descriptor
        string model_path
        const AtomicBool* cancelled
        cbool own_passes
        cbool hooks_registered

    cdef cppclass Compiled:
        CompileResult result

    Status CompileBySettings(const CompileJob& job, Compiled* compiled) except +
    Status ReportOf(const Compiled& compiled, string* json) except +
    string BoolText(const string& flag, cbool value) except +
    vector[string] CompileFlags() except +


cdef extern from "<span>" nogil:
    cdef cppclass ClaimSpan "std::span<ge::Claim>":
        ClaimSpan(Claim*, size_t)


cdef extern from "api/hook_paths.h" namespace "ge" nogil:
    cdef cppclass HookPaths:
        string custom_operators
        string operators

cdef extern from "api/operator_stores.h" namespace "ge::api" nogil:
    Status OperatorStoresAsJson(const HookPaths&, const string& family, string*) except +


cdef extern from "api/testing_hooks.h" namespace "ge::api" nogil:
    Status CallFromThreads(const string&, int, int, vector[string]*, int64_t*)
    string SnakeCaseOf(const string&)


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
    Status RunKernel(
        const string& kernel, const vector[TestTensor]& inputs, vector[TestTensor]* outputs
    ) except +
    Status ImportAsJson(
        const string& path, cbool allow_unknown, const vector[string]& passes, string* json
    ) except +
    string PassesAsJson()
    Status RunPassesAsJson(
        const string& graph, const vector[string]& passes, string* json
    ) except +
    uint64_t PlanClaims(ClaimSpan claims, cbool reuse) except +


cdef extern from "api/testing_aclop.h" namespace "ge::api" nogil:
    uint64_t HashOfOpAttrs(const OpAttrs& attrs)
    uint64_t HashOfOp(const OpCall& call, optional[uint64_t] sequence) except +
    cbool IsSameOp(const OpCall& call, const OpCall& compiled) except +
