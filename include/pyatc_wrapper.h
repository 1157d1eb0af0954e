#ifndef PYATC_WRAPPER_H
#define PYATC_WRAPPER_H

#ifdef __cplusplus
extern "C" {
#endif

// Runs one ATC command line and returns what ATC returns: 0, -1 after a failure, 130 after SIGINT.
// Returns 1 when argc is not positive, or argv or one of its first argc pointers is null.
int GeApiWrapper_Atc_Main(int argc, char** argv);

#ifdef __cplusplus
}
#endif

#endif  // PYATC_WRAPPER_H
