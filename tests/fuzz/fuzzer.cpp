// libFuzzer's entry: the target that ABUT_FUZZ_TARGET names gets any bytes (`make fuzz`, clang).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const abut::fuzz::Target* const target = [] {
    const char* name = std::getenv("ABUT_FUZZ_TARGET");
    const abut::fuzz::Target* found = abut::fuzz::target(name != nullptr ? name : "mjcf");
    if (found == nullptr) {
      std::fprintf(stderr, "no target '%s'; there are:", name);
      for (const abut::fuzz::Target& t : abut::fuzz::targets())
        std::fprintf(stderr, " %.*s", static_cast<int>(t.name.size()), t.name.data());
      std::fprintf(stderr, "\n");
      std::exit(2);
    }
    return found;
  }();
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
