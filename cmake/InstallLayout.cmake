# Where things are installed, in the two forms of docs/installing.md.
#
#              wheel (pip install .)      tree (cmake --install --prefix ROOT)
#   package    ge/                        python/site-packages/ge/
#   libraries  ge/                        lib64/
#   pyatc      the environment's bin/     bin/
#   atc        ge/                        bin/
#   headers    -                          include/
if(SKBUILD)
  set(GE_PACKAGE_DIR ge)
  set(GE_LIBRARY_DIR ge)
  set(GE_SCRIPT_DIR ${SKBUILD_SCRIPTS_DIR})
  set(GE_PROGRAM_DIR ge)
  set(GE_MODULE_RPATH $ORIGIN)
  set(GE_PROGRAM_RPATH $ORIGIN)
else()
  set(GE_PACKAGE_DIR python/site-packages/ge)
  set(GE_LIBRARY_DIR lib64)
  set(GE_SCRIPT_DIR bin)
  set(GE_PROGRAM_DIR bin)
  set(GE_MODULE_RPATH $ORIGIN/../../../lib64)
  set(GE_PROGRAM_RPATH $ORIGIN/../lib64)
endif()
