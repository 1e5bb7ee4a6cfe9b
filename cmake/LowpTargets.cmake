# Helpers that every folder of lowp uses to declare what it builds.

# MLIR's headers cost more time than our sources: 13 of 17 seconds of a file, measured with g++ 12. Upstream headers only, so
# that a change of ours does not make it anew.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/pch/mlir.cpp CONTENT "")
add_library(LowpMlirPch STATIC ${CMAKE_BINARY_DIR}/pch/mlir.cpp)
set_target_properties(LowpMlirPch PROPERTIES POSITION_INDEPENDENT_CODE ON)
llvm_update_compile_flags(LowpMlirPch)
target_precompile_headers(LowpMlirPch PRIVATE
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/IR/Builders.h>
  <mlir/IR/BuiltinOps.h>
  <mlir/IR/PatternMatch.h>
  <mlir/Pass/Pass.h>
  <mlir/Transforms/DialectConversion.h>)

# lowp_add_library(NAME source... [LINK our libraries...] [MLIR MLIR libraries...])
#   A static library of ours. Libraries that know no MLIR leave MLIR out and link libLLVM only.
#   Every MLIR* name has to come through MLIR: mlir_target_link_libraries replaces it by the shared
#   libMLIR where that is what the build links, so that no binary holds two copies of MLIR.
function(lowp_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK;MLIR;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  llvm_update_compile_flags(${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_MLIR)
    mlir_target_link_libraries(${name} PUBLIC ${ARG_MLIR})
    target_precompile_headers(${name} REUSE_FROM LowpMlirPch)
    # From precompiled headers clang forgets the pragmas that silence libstdc++'s std::stable_sort.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
  else()
    target_link_libraries(${name} PUBLIC LLVM)
  endif()
endfunction()

# lowp_add_unittest(NAME source... LINK libraries...): a GoogleTest program, each case a ctest.
function(lowp_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_compile_definitions(${name} PRIVATE LOWP_TEST_DATA="${PROJECT_SOURCE_DIR}/unittests/data")
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# lowp_add_tool(NAME source... LINK our libraries... MLIR MLIR libraries...)
function(lowp_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK;MLIR" ${ARGN})
  add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  if(ARG_MLIR)
    mlir_target_link_libraries(${name} PRIVATE ${ARG_MLIR})
  endif()
endfunction()
