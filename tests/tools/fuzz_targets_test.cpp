// Damaged files are used or refused, within ten seconds each (tests/fuzz/targets.h). ABUT_FUZZ_CASES
// sets how many there are of each kind: 100000 take some minutes.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>

#include "fuzz/damage.h"
#include "fuzz/targets.h"

namespace abut {
namespace {

using Clock = std::chrono::steady_clock;

int cases() {
  const char* asked = std::getenv("ABUT_FUZZ_CASES");
  return asked != nullptr ? std::atoi(asked) : 400;
}

class FuzzTargets : public testing::TestWithParam<fuzz::Target> {};

TEST_P(FuzzTargets, DamagedFilesAreUsedOrRefused) {
  const fuzz::Target& target = GetParam();
  const std::vector<std::string> seeds = target.seeds();
  ASSERT_FALSE(seeds.empty());
  int good = 0;
  for (const std::string& seed : seeds) good += target.run(seed);
  EXPECT_GT(2 * good, std::ssize(seeds)) << "most of the seeds are good files";
  const unsigned seed = std::random_device()();
  fuzz::Damage damage(seeds, seed);
  int taken = 0, refused = 0;
  double slowest = 0;
  for (int i = 0; i < cases(); ++i) {
    const std::string bytes = damage.next();
    const Clock::time_point start = Clock::now();
    try {
      ++(target.run(bytes) ? taken : refused);
    } catch (const std::exception& e) {
      FAIL() << "seed " << seed << ", case " << i << ": " << e.what() << "\n" << bytes;
    }
    slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - start).count());
    ASSERT_LT(slowest, 10) << "seed " << seed << ", case " << i << "\n" << bytes;
  }
  EXPECT_GT(refused, 0);
  std::printf("%.*s: seed %u, %d taken, %d refused, the slowest %.3f s\n",
              static_cast<int>(target.name.size()), target.name.data(), seed, taken, refused,
              slowest);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FuzzTargets,
                         testing::ValuesIn(fuzz::targets().begin(), fuzz::targets().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace abut
