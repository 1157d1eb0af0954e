# cython: embedsignature=True, embedsignature.format=clinic
"""ge._aclop: descriptions and buffers in, one core call without the GIL, exceptions out."""

import os
from _collections_abc import ItemsView, KeysView, MutableMapping, ValuesView

from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBUF_SIMPLE, PyBUF_STRIDES, PyBUF_WRITABLE
from cpython.buffer cimport PyBuffer_Release, PyObject_CheckBuffer, PyObject_GetBuffer
from cpython.number cimport PyNumber_Index
from cpython.object cimport PyObject
from cython.operator cimport dereference as deref
from cython.operator cimport preincrement
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memmove, memset
from libcpp cimport bool as cbool
from libcpp.memory cimport make_shared, shared_ptr
from libcpp.optional cimport optional
from libcpp.string cimport string
from libcpp.utility cimport move
from libcpp.vector cimport vector

from core cimport (
    AclAttrsText, AclBytes, AclCodeName, AclDtypeSize, AclElements, AclFloatToFp16, AclFp16ToFloat,
    AclStatus, AddOpKernel, AddOpSelector, CastTakesTruncate, CompileAndExecuteOp, CompileOp,
    CreateOpHandle, DataType, DestroyOpHandle, DimRange, Dims, DumpOpGraph, ExecuteOp,
    ExecuteOpHandle, FindNearestOp, GetOpOption, HasOpWarnings, HashOfOp, HashOfOpAttrs,
    InferOpShape, IsSameOp, LoadOpModel, LoadOpModelDir, MemoryBytes, MemoryDims, NearestOp,
    OpAttr, OpAttrMap, OpAttrs, OpBuffer, OpBuildCount, OpCall, OpDtype, OpHandle, OpKernel,
    OpKernelChoice, OpOptionSize, OpSocName, OpTensorDesc, ProcessOpRuntime, RemoveOpSelector,
    RowOfDataType, SetHookLoader, SetMaxOpQueueNum, SetOpCompileFlag, SetOpOption, SetOpSoc,
    TakeOpWarnings, UpdateOpParams, WriteOpModel, get,
)
from hook_loader cimport load_hooks

SetHookLoader(load_hooks)

include "aclop_errors.pxi"
include "aclop_numbers.pxi"
include "aclop_desc.pxi"
include "aclop_attrs.pxi"
include "aclop_buffers.pxi"
include "aclop_call.pxi"
include "aclop_compiled.pxi"
include "aclop_functions.pxi"
include "aclop_kernels.pxi"
include "aclop_testing.pxi"
