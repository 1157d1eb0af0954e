# What the Cython modules see of the C++ core: one block per header of core/api.

from libc.stdint cimport uint32_t, uint64_t
from libcpp cimport bool as cbool
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

    cdef cppclass Status:
        cbool ok()
        const vector[Problem]& problems()


cdef extern from "<span>" nogil:
    cdef cppclass ClaimSpan "std::span<ge::Claim>":
        ClaimSpan(Claim*, size_t)


cdef extern from "api/testing.h" namespace "ge" nogil:
    cdef cppclass Claim:
        uint32_t first_step
        uint32_t last_step
        uint64_t bytes
        uint64_t offset


cdef extern from "api/testing.h" namespace "ge::api" nogil:
    Status ImportAsJson(
        const string& path, cbool allow_unknown, const vector[string]& passes, string* json
    ) except +
    Status RunPassesAsJson(
        const string& graph, const vector[string]& passes, string* json
    ) except +
    uint64_t PlanClaims(ClaimSpan claims, cbool reuse) except +
