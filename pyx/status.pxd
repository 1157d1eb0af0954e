# Status -> what Python raises from it.

from libcpp.vector cimport vector

from core cimport Problem, RowOf, Status


cdef inline tuple problem_row(const Problem& problem):
    """Return (code, message, cause, solution, node), all of them texts."""
    return (
        RowOf(problem.id).code.data().decode(),
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
