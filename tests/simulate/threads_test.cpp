// Steps on several threads: the same bits, nothing from the heap.
#include <gtest/gtest.h>

#include "abut/load/mjcf/mjcf.h"
#include "abut/simulate/simulator.h"
#include "support/allocations.h"

namespace abut::test {
namespace {

// 169 boxes side by side that fall onto the ground: hundreds of pairs.
Model boxes() {
  return compile(parse_mjcf(R"(
    <mujoco>
      <worldbody>
        <geom type="plane" size="9 9 1"/>
        <replicate count="13" offset="0.21 0.003 0">
          <replicate count="13" offset="0.002 0.21 0">
            <body pos="0 0 0.1005" euler="0 0 3"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
          </replicate>
        </replicate>
      </worldbody>
    </mujoco>)"));
}

TEST(SimulatorThreads, ChangeNoBit) {
  const Model model = boxes();
  const Input input(model);
  std::uint64_t hash = 0;
  for (const int threads : {1, 2, 3}) {
    Simulator simulator(model);
    simulator.set_threads(threads);
    EXPECT_EQ(simulator.threads(), threads);
    State state(model);
    for (int i = 0; i < 8; ++i) simulator.step(state, input);
    EXPECT_GE(simulator.contact().data().patches.size(), 169u);
    if (threads == 1) hash = state.hash();
    EXPECT_EQ(state.hash(), hash) << threads;
  }
}

TEST(SimulatorThreads, WarmStepsDoNotAllocate) {
  const Model model = boxes();
  const Input input(model);
  Simulator simulator(model);
  simulator.set_threads(2);
  State state(model);
  for (int i = 0; i < 10; ++i) simulator.step(state, input);
  const long before = allocation_count();
  for (int i = 0; i < 5; ++i) simulator.step(state, input);
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace abut::test
