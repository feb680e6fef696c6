# Language, warnings, sanitizers and the tools that make builds quick.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
# The sanitizers' kind: quick to compile, with asserts, unlike CMake's own, and lines for their reports.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")

# Fused multiply-add would make results depend on the instruction set, and the
# state hash is promised to be equal across machines.
add_compile_options(-ffp-contract=off)

add_library(abut_warnings INTERFACE)
# -Wrestrict of GCC 12 is wrong about "text" + std::string (GCC bug 105651).
target_compile_options(abut_warnings INTERFACE -Wall -Wextra -Wpedantic -Wno-restrict
                       $<$<BOOL:${ABUT_WERROR}>:-Werror>)

if(ABUT_SANITIZE)
  add_compile_options(-fsanitize=${ABUT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
                      -D_GLIBCXX_ASSERTIONS)
  # GCC warns of uninitialised values that only its own instrumentation makes up
  # (in <regex>, for one).
  add_compile_options(-Wno-maybe-uninitialized)
  add_link_options(-fsanitize=${ABUT_SANITIZE})
endif()

find_program(ABUT_CCACHE ccache)
if(ABUT_CCACHE)
  # paths relative to the tree, so that clones and work trees share the cache
  set(ABUT_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${ABUT_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-fpch-preprocess)  # or ccache would not see precompiled headers
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ABUT_LAUNCHER})
  set(CMAKE_C_COMPILER_LAUNCHER ${ABUT_LAUNCHER})
endif()
find_program(ABUT_MOLD mold)
if(ABUT_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
