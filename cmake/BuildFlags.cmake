# ge_build_flags: warnings and sanitizers, the same for every target of this project.
# -Wno-restrict: g++ 12 reports std::string concatenation (GCC bug 105651).
add_library(ge_build_flags INTERFACE)
target_compile_options(ge_build_flags INTERFACE -Wall -Wextra -Wno-restrict $<$<BOOL:${GE_DEVELOPER}>:-Werror>)
target_compile_definitions(ge_build_flags INTERFACE $<$<BOOL:${GE_DEVELOPER}>:GE_DEVELOPER>)
if(GE_SANITIZE)
  target_compile_options(ge_build_flags INTERFACE -fsanitize=${GE_SANITIZE} -fno-omit-frame-pointer -g)
  target_link_options(ge_build_flags INTERFACE -fsanitize=${GE_SANITIZE})
endif()
# No path of the build folder may reach the binaries.
target_compile_options(ge_build_flags INTERFACE -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
