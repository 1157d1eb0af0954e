// Stands in for the libpyatc_wrapper.so of an installed CANN.  Prints the interpreter, the command
// line and which libraries of this name pattern the process has loaded; returns $FAKE_STATUS.

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void PrintLoadedLibraries(void) {
  char line[4096];
  FILE* maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof(line), maps) != NULL) {
    const char* path = strchr(line, '/');
    if (path == NULL) continue;
    if (strstr(line, "libge_") || strstr(line, "libpyatc_") || strstr(line, "libacl_")) {
      printf("loaded %s", path);
    }
  }
  fclose(maps);
}

int GeApiWrapper_Atc_Main(int argc, const char* const* argv) {
  char executable[4096];
  const ssize_t length = readlink("/proc/self/exe", executable, sizeof(executable));
  printf("executable %.*s\n", (int)length, executable);
  for (int i = 0; i < argc; ++i) printf("argv %s\n", argv[i]);
  PrintLoadedLibraries();
  if (getenv("FAKE_INTERRUPT") != NULL) raise(SIGINT);
  const char* status = getenv("FAKE_STATUS");
  return status == NULL ? 0 : atoi(status);
}
