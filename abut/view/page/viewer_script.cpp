// The script that web/ builds, compressed by gzip, as bytes of the library.
#include "abut/view/page/viewer_page.h"

// As data of the assembler: a megabyte of C++ literals would take the compiler long.
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    ".local abut_viewer_script_begin\n"
    "abut_viewer_script_begin:\n"
    ".incbin \"" ABUT_VIEWER_SCRIPT
    "\"\n"
    ".local abut_viewer_script_end\n"
    "abut_viewer_script_end:\n"
    ".byte 0\n"
    ".text\n");

namespace {
extern "C" {
extern const char abut_viewer_script_begin[];
extern const char abut_viewer_script_end[];
}
}  // namespace

namespace abut::view {

std::string_view viewer_script() {
  return {abut_viewer_script_begin,
          static_cast<std::size_t>(abut_viewer_script_end - abut_viewer_script_begin)};
}

}  // namespace abut::view
