// Stands in for CANN's libpyatc_wrapper.so: prints its argument words, returns what STATUS says.
#include <stdio.h>
#include <stdlib.h>

int GeApiWrapper_Atc_Main(int argc, const char* const* argv) {
  for (int i = 0; i < argc; ++i) printf("[%s]\n", argv[i]);
  const char* status = getenv("STATUS");
  return status == NULL ? 0 : atoi(status);
}
