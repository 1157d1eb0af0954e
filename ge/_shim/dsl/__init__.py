"""The compute functions of ``tbe.dsl``, a module for each kind of them.

Every function that a module of this package defines with a public name is one of ``tbe.dsl``.
"""
