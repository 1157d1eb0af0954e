// The native program atc.

#include "atc/main_impl.h"

int main(int argc, char* argv[]) {
  return ge::main_impl(argc, argv);
}
