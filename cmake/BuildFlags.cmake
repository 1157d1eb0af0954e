# ge_common_flags: sanitizers, and no path of the build folder in the binaries.  For all code.
add_library(ge_common_flags INTERFACE)
target_compile_options(ge_common_flags INTERFACE -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
if(GE_SANITIZE)
  target_compile_options(ge_common_flags INTERFACE -fsanitize=${GE_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_compile_definitions(ge_common_flags INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(ge_common_flags INTERFACE -fsanitize=${GE_SANITIZE})
endif()

# ge_build_flags: the above and warnings.  For code that was written, not generated.
# -Wno-restrict: g++ 12 reports std::string concatenation (GCC bug 105651).
add_library(ge_build_flags INTERFACE)
target_compile_options(ge_build_flags INTERFACE -Wall -Wextra -Wno-restrict $<$<BOOL:${GE_DEVELOPER}>:-Werror>)
target_compile_definitions(ge_build_flags INTERFACE $<$<BOOL:${GE_DEVELOPER}>:GE_DEVELOPER>)
target_link_libraries(ge_build_flags INTERFACE ge_common_flags)
