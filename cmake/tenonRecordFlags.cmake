# tenon_record_flags(TARGET...): the system.json of a target's runs (<tenon/train/run.hpp>) contains
# the flags of the compiler: those of CMAKE_CXX_FLAGS, of the build type, and the options of the
# target and of what it links. Options with quotes or backslashes are left out.
function(tenon_record_flags)
  set(flags "${CMAKE_CXX_FLAGS}")
  foreach(config IN LISTS CMAKE_BUILD_TYPE CMAKE_CONFIGURATION_TYPES)
    string(TOUPPER "${config}" upper)
    string(APPEND flags "$<$<CONFIG:${config}>: ${CMAKE_CXX_FLAGS_${upper}}>")
  endforeach()
  string(REGEX REPLACE "[^ ]*[\"\\\\][^ ]*" "" flags "${flags}")
  foreach(target IN LISTS ARGV)
    set(options "$<TARGET_GENEX_EVAL:${target},$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>>")
    set(options "$<FILTER:${options},EXCLUDE,[\"\\\\]>")
    target_compile_definitions(${target} PRIVATE
      "TENON_COMPILER_FLAGS=\"${flags} $<JOIN:${options}, >\"")
  endforeach()
endfunction()
