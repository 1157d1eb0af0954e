# ge_cython_module(NAME [LIBRARIES ...]): NAME.pyx in the current folder -> ge/NAME.abi3.so.
#
# Stable ABI: one build for every CPython from 3.11 on.  (python_add_library has USE_SABI for this
# only from CMake 3.26 on.)
find_package(Python 3.11 COMPONENTS Interpreter Development.Module REQUIRED)
execute_process(
  COMMAND ${Python_EXECUTABLE} -c "import Cython, cython_cmake; print(cython_cmake.__path__[0])"
  OUTPUT_VARIABLE cython_cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
  RESULT_VARIABLE cython_cmake_missing)
if(cython_cmake_missing)
  message(FATAL_ERROR "${Python_EXECUTABLE} has no cython or no cython-cmake: "
                      "pip install 'cython>=3.1' cython-cmake, or configure with -DGE_PYTHON=OFF")
endif()
include(${cython_cmake_dir}/cmake/UseCython.cmake)

function(ge_cython_module name)
  cmake_parse_arguments(arg "" "" "LIBRARIES" ${ARGN})
  cython_transpile(${name}.pyx LANGUAGE CXX MODULE_NAME ge.${name} OUTPUT_VARIABLE cpp
                   CYTHON_ARGS -3 -X binding=False)
  python_add_library(${name} MODULE ${cpp})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_definitions(${name} PRIVATE Py_LIMITED_API=0x030B0000)
  target_compile_options(${name} PRIVATE -include ${CMAKE_CURRENT_SOURCE_DIR}/limited_api.h)
  # The warnings of generated code are not ours to fix.
  target_compile_options(${name} PRIVATE -Wno-error -Wno-unused-function)
  target_link_libraries(${name} PRIVATE ge_common_flags ${arg_LIBRARIES} ${CMAKE_DL_LIBS})
  target_link_options(${name} PRIVATE
                      LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/module.map)
  set_target_properties(${name} PROPERTIES
    SUFFIX .abi3.so CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
    LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/module.map INSTALL_RPATH "${GE_MODULE_RPATH}")
  ge_install(TARGETS ${name} WHEEL ge TREE ${GE_PACKAGE_IN_TREE})
endfunction()
