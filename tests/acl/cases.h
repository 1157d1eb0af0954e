// A program of cases: each states what calls give, and runs in a process of its own.
#ifndef CASES_H_
#define CASES_H_

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"

typedef struct {
  const char* name;
  void (*run)(void);
} Case;

static Case cases[256];
static int case_count;
static int failures;

// CASE(name) { ... } defines one; tests/acl/test_cases.py finds them by this word.
#define CASE(id)                                            \
  static void case_##id(void);                              \
  __attribute__((constructor)) static void add_##id(void) { \
    cases[case_count].name = #id;                           \
    cases[case_count++].run = case_##id;                    \
  }                                                         \
  static void case_##id(void)

// The call gives this number.  On another one the text of the library is shown.
#define EXPECT(call, wanted) expect(#call, (int64_t)(call), (int64_t)(wanted), __LINE__)

static void expect(const char* call, int64_t seen, int64_t wanted, int line) {
  const char* text = aclGetRecentErrMsg();
  if (seen == wanted) return;
  ++failures;
  printf("line %d: %s gives %" PRId64 ", not %" PRId64 "\n  %s\n", line, call, seen, wanted,
         text != NULL ? text : "");
}

#define EXPECT_TEXT(call, wanted) expect_text(#call, (call), (wanted), __LINE__)

__attribute__((unused)) static void expect_text(const char* call, const char* seen,
                                                const char* wanted, int line) {
  if (seen != NULL && strcmp(seen, wanted) == 0) return;
  ++failures;
  printf("line %d: %s gives \"%s\", not \"%s\"\n", line, call, seen != NULL ? seen : "NULL",
         wanted);
}

int main(int argc, char** argv) {
  for (int i = 0; i < case_count; ++i) {
    if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) {
      cases[i].run();
      return failures != 0;
    }
  }
  printf("no such case\n");
  return 2;
}

#endif
