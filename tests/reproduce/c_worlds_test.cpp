// Worlds of seed 003 in worlds/ are those that the experiments build in code: they move alike.
#include "abut/reproduce/c_worlds.h"

#include <gtest/gtest.h>

#include "abut/load/load.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {
namespace {

// Largest difference of q and v after some steps of the two.
double apart_after(const Model& a, const Model& b, int steps) {
  ContactSettings contact;
  contact.model = ContactModel::ap;
  State sa(a), sb(b);
  const Input ia(a), ib(b);
  Simulator run_a(a, contact), run_b(b, contact);
  for (int i = 0; i < steps; ++i) {
    run_a.step(sa, ia);
    run_b.step(sb, ib);
  }
  double most = 0;
  for (std::size_t i = 0; i < sa.q.size(); ++i) most = std::max(most, std::abs(sa.q[i] - sb.q[i]));
  for (std::size_t i = 0; i < sa.v.size(); ++i) most = std::max(most, std::abs(sa.v[i] - sb.v[i]));
  return most;
}

TEST(WorldsOfSeed003, ChainIsThatOfTheFile) {
  const Model file = load_model(ABUT_SOURCE_DIR "/worlds/chain6.xml");
  const Model built = compile(chain_of_rods(6, 9.81, false));
  ASSERT_EQ(file.nq, built.nq);
  ASSERT_EQ(file.equalities.size(), built.equalities.size());
  EXPECT_EQ(file.option.timestep, built.option.timestep);
  EXPECT_LT(apart_after(file, built, 100), 1e-12);
}

}  // namespace
}  // namespace abut::reproduce
