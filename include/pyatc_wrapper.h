#ifndef PYATC_WRAPPER_H
#define PYATC_WRAPPER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Runs one ATC command line and returns what ATC returns: 0, -1 after a failure, 130 after SIGINT.
// Returns 1 when argc is not positive, or argv or one of its first argc pointers is null.
int GeApiWrapper_Atc_Main(int argc, char** argv);

// For the Python package: what to call when a compile first needs Python.  The function returns 0,
// or 1 with a text in `reason`.
void GeApiWrapper_SetHookLoader(int (*loader)(char* reason, size_t bytes));

#ifdef __cplusplus
}
#endif

#endif  // PYATC_WRAPPER_H
