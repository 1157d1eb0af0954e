# Status -> what Python raises from it.

from core cimport Problem, RowOf, Status


cdef inline list problems_of(const Status& status):
    """Return everything that is wrong as (code, message, cause, solution), all of them texts."""
    cdef size_t i
    cdef const Problem* problem
    cdef list problems = []
    for i in range(status.problems().size()):
        problem = &status.problems()[i]
        problems.append(
            (
                RowOf(problem.id).code.data().decode(),
                problem.message.decode(errors="replace"),
                problem.cause.decode(errors="replace"),
                problem.solution.decode(errors="replace"),
            )
        )
    return problems
