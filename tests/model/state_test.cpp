// State: a value that saves, loads and compares bit for bit.
#include "abut/model/state.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <limits>

#include "support/random_worlds.h"

namespace abut {
namespace {

class StateFileTest : public testing::Test {
 protected:
  std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) /
                                ("abut_state_test_" + std::to_string(getpid()) + ".state");
  Model model_ = compile(test::random_world(7, 6));
  void TearDown() override { std::filesystem::remove(file_); }

  std::string read() const {
    std::ifstream in(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const {
    std::ofstream out(file_, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  std::string error() const {
    State state(model_);
    Input input(model_);
    try {
      load_state(model_, file_, state, input);
    } catch (const StateError& e) {
      return e.what();
    }
    return {};
  }
};

State odd_state(const Model& model) {
  State s = test::random_state(model, 3);
  s.time = 1.0 / 3;
  s.v[0] = -0.0;
  s.v[1] = std::numeric_limits<double>::denorm_min();
  s.contacts.set_widths(2, 3);
  const std::uint64_t ids[] = {11, 22, 33};
  PairMemory header;
  header.key = pair_key(4, 2);
  header.phase = ContactPhase::resting;
  header.normal[2] = 1;
  const int pair = s.contacts.append(header, ids);
  s.contacts.pair_values(pair)[1] = 0.1;
  s.contacts.point_values(2)[0] = -7;
  return s;
}

TEST_F(StateFileTest, LoadsWhatWasSaved) {
  const State saved = odd_state(model_);
  Input input(model_);
  save_state(model_, saved, input, file_);
  State loaded(model_);
  Input loaded_input(model_);
  load_state(model_, file_, loaded, loaded_input);
  EXPECT_TRUE(saved == loaded);
  EXPECT_EQ(saved.hash(), loaded.hash());
  EXPECT_EQ(loaded.contacts.find(pair_key(2, 4)), 0);
  EXPECT_EQ(loaded.contacts.point_values(loaded.contacts.find_point(0, 33))[0], -7);
}

TEST_F(StateFileTest, RefusesEveryDamagedByte) {
  save_state(model_, odd_state(model_), Input(model_), file_);
  const std::string good = read();
  ASSERT_TRUE(error().empty());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    write(bad);
    EXPECT_FALSE(error().empty()) << "byte " << i;
  }
  for (std::size_t size : {std::size_t{0}, std::size_t{5}, good.size() / 2, good.size() - 1}) {
    write(good.substr(0, size));
    EXPECT_FALSE(error().empty()) << "cut to " << size;
  }
}

TEST_F(StateFileTest, RefusesAStateOfAnotherWorld) {
  const Model other = compile(test::random_world(8, 6));
  save_state(other, State(other), Input(other), file_);
  EXPECT_NE(error().find("another world"), std::string::npos) << error();
}

TEST_F(StateFileTest, SaysWhichFileIsMissing) {
  EXPECT_NE(error().find("no such state file"), std::string::npos);
  EXPECT_THROW(save_state(model_, State(model_), Input(model_), "/no/such/folder/x.state"),
               StateError);
}

TEST(State, HashSeesEveryBit) {
  const Model model = compile(test::random_world(7, 6));
  const State base = odd_state(model);
  auto differs = [&](auto&& change) {
    State s = base;
    change(s);
    return s.hash() != base.hash() && !(s == base);
  };
  EXPECT_TRUE(differs([](State& s) { s.v[0] = 0.0; }));  // it was -0
  EXPECT_TRUE(differs([](State& s) { s.time = std::nextafter(s.time, 1); }));
  EXPECT_TRUE(differs([](State& s) { s.q.back() = std::nextafter(s.q.back(), 9); }));
  EXPECT_TRUE(differs([](State& s) { s.contacts.point_values(0)[1] = 1; }));
  EXPECT_TRUE(differs([](State& s) { s.contacts.pairs()[0].branch = 5; }));
  EXPECT_TRUE(differs([](State& s) { s.contacts.clear(); }));
  const State copy = base;
  EXPECT_EQ(copy.hash(), base.hash());
}

TEST(ContactMemory, FindsPairsAndPointsAndClearsOnNewWidths) {
  ContactMemory m;
  m.set_widths(1, 1);
  const std::uint64_t ids[] = {5, 9};
  PairMemory header;
  for (int g = 1; g <= 5; ++g) {
    header.key = pair_key(g, 10);
    m.append(header, ids);
  }
  EXPECT_EQ(m.find(pair_key(10, 3)), 2);
  EXPECT_EQ(m.find(pair_key(3, 4)), -1);
  EXPECT_EQ(m.find_point(2, 9), 5);
  EXPECT_EQ(m.find_point(2, 8), -1);
  m.set_widths(1, 1);
  EXPECT_EQ(m.pairs().size(), 5u);
  m.set_widths(2, 1);
  EXPECT_TRUE(m.pairs().empty());
}

}  // namespace
}  // namespace abut
