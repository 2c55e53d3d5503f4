# Writes a src/math/lanes.hpp whose operations are counted: every sum, difference, product, quotient and square root of
# eight lanes adds one to `flops`. What the kernels do with such numbers is what they do.
file(READ ${CMAKE_SOURCE_DIR}/src/math/lanes.hpp lanes)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/math/lanes.hpp)
string(REPLACE "inline namespace RUBATO_ISA {" "inline namespace RUBATO_ISA {\n\ninline long flops = 0;" lanes "${lanes}")
string(REGEX REPLACE "{ return (a|a[.]at) ([+*/-]) (b|b[.]at); }" "{ ++flops; return \\1 \\2 \\3; }" lanes "${lanes}")
string(REPLACE "Lanes sqrt(Lanes x)\n{" "Lanes sqrt(Lanes x)\n{\n    ++flops;" lanes "${lanes}")
string(REGEX MATCHALL "[+][+]flops" counted "${lanes}")
list(LENGTH counted operations)
if(NOT operations EQUAL 13) # four with three kinds of operands, and the root
    message(FATAL_ERROR "benchmarks/suite/counting/lanes.cmake no longer understands src/math/lanes.hpp: ${operations} operations, not 13")
endif()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/counting/math/lanes.hpp CONTENT "${lanes}" @ONLY)
