// What untrusted bytes reach: for each kind, a function that takes any bytes and either uses them or
// refuses them with the exception that its interface names. Anything else that comes out is a fault.
// libFuzzer calls these (fuzzer.cpp, `make fuzz`), and so does fuzz_targets_test.cpp with damaged
// copies of good files (`make test`; longer in `make soak`).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace abut::fuzz {

struct Target {
  std::string_view name;
  // True: the bytes were taken, false: refused.
  bool (*run)(std::string_view bytes);
  // Good files to damage.
  std::vector<std::string> (*seeds)();
};

std::span<const Target> targets();
// Null: there is none.
const Target* target(std::string_view name);

}  // namespace abut::fuzz
