# Status -> what Python raises from it.

from libcpp.string cimport string
from libcpp.vector cimport vector

from core cimport CodeOf, Problem, Status


cdef inline tuple problem_row(const Problem& problem):
    """Return (code, message, cause, solution, node), all of them texts."""
    return (
        string(CodeOf(problem)).decode(),
        problem.message.decode(errors="replace"),
        problem.cause.decode(errors="replace"),
        problem.solution.decode(errors="replace"),
        problem.node.decode(errors="replace"),
    )


cdef inline list problem_rows(const vector[Problem]& problems):
    cdef size_t i
    return [problem_row(problems[i]) for i in range(problems.size())]


cdef inline list problems_of(const Status& status):
    """Return everything that is wrong, as rows."""
    return problem_rows(status.problems())
