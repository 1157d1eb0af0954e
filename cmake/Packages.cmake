# Header-only packages of the system.  A missing one stops here with what to install.
find_package(Python 3.11 COMPONENTS Interpreter REQUIRED)
find_path(PROTOZERO_INCLUDE protozero/pbf_reader.hpp)
find_path(NLOHMANN_INCLUDE nlohmann/json.hpp)
if(NOT PROTOZERO_INCLUDE OR NOT NLOHMANN_INCLUDE)
  message(FATAL_ERROR "protozero and nlohmann-json headers are needed: "
                      "apt-get install libprotozero-dev nlohmann-json3-dev")
endif()
