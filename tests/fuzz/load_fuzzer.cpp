// libFuzzer's target for the loader and the compiler: any bytes are a world, or a WorldError.
// Built and run by `make fuzz` (clang); `make soak` includes it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "abut/load/mjcf/mjcf.h"
#include "abut/model/model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const abut::World world = abut::parse_mjcf({reinterpret_cast<const char*>(data), size},
                                               "fuzz.xml", ABUT_SOURCE_DIR "/tests/data/mjcf");
    abut::compile(world);
  } catch (const abut::WorldError&) {
    // bad input, said so
  }
  return 0;
}
