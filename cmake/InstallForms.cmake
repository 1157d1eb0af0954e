# The two install forms (docs/installing.md) are two install components of one build:
#
#              wheel (pip install .)      tree (cmake --install BUILD --prefix ROOT)
#   package    ge/                        python/site-packages/ge/
#   libraries  ge/                        lib64/
#   atc        ge/                        bin/
#   pyatc      the environment's bin/     bin/
#
# A build of scikit-build-core knows both, so its tree needs --component tree.

# ge_install(TARGETS|FILES|PROGRAMS|DIRECTORY what... WHEEL folder TREE folder)
function(ge_install)
  cmake_parse_arguments(arg "" "WHEEL;TREE" "" ${ARGN})
  install(${arg_UNPARSED_ARGUMENTS} DESTINATION ${arg_TREE} COMPONENT tree)
  if(SKBUILD)
    install(${arg_UNPARSED_ARGUMENTS} DESTINATION ${arg_WHEEL} COMPONENT wheel)
  endif()
endfunction()

set(GE_PACKAGE_IN_TREE python/site-packages/ge)
# From the folder of the modules and of atc to the libraries: wheel, then tree.
set(GE_MODULE_RPATH $ORIGIN $ORIGIN/../../../lib64)
set(GE_PROGRAM_RPATH $ORIGIN $ORIGIN/../lib64)
