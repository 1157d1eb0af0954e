#pragma once

// Included before everything else in each Cython module (cmake/CythonModule.cmake).
//
// Under the limited API, Cython's start-up code imports `inspect` to read the CO_* flags and
// `collections.abc` to read two type flags: 10 to 20 ms, more than a bare Python needs to start.
// The CO_* values are part of Python's documented code object flags, and `_collections_abc`, which
// every Python loads when it starts, defines what `collections.abc` re-exports.

#include <Python.h>
#include <string.h>

#define CO_OPTIMIZED 0x0001
#define CO_NEWLOCALS 0x0002
#define CO_VARARGS 0x0004
#define CO_VARKEYWORDS 0x0008
#define CO_GENERATOR 0x0020
#define CO_COROUTINE 0x0080
#define CO_ASYNC_GENERATOR 0x0200

static inline PyObject* ge_import_module(const char* name) {
  if (strcmp(name, "inspect") == 0) name = "sys";  // nothing is read from it: CO_* stand above
  if (strcmp(name, "collections.abc") == 0) name = "_collections_abc";
  return PyImport_ImportModule(name);
}
#define PyImport_ImportModule(name) ge_import_module(name)
