"""Operator functions: ``from ge.es.cv import Add``.

All modules of this kind have the functions of all operators.
"""

from ge.es._operators import names as __dir__  # noqa: F401
from ge.es._operators import operator as __getattr__  # noqa: F401
