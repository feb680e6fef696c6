// State files of other versions: what docs/compatibility.md says of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "abut/math/hash.h"
#include "abut/model/state.h"
#include "abut/model/world.h"

namespace abut::test {
namespace {

using testing::HasSubstr;

constexpr std::size_t kVersionAt = 8, kOrderAt = 12, kLayoutAt = 16, kSignatureAt = 24;

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  T x;
  std::memcpy(&x, bytes.data() + at, sizeof x);
  return x;
}
template <class T>
void put_at(std::string& bytes, std::size_t at, T x) {
  std::memcpy(bytes.data() + at, &x, sizeof x);
}
template <class T>
void append(std::string& bytes, T x) {
  bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
}

// The hash at the end made right again: what is wrong besides must be seen by itself.
std::string sealed(std::string bytes) {
  Hash h;
  h.bytes(bytes.data(), bytes.size() - 8);
  put_at(bytes, bytes.size() - 8, h.digest());
  return bytes;
}

class StateVersion : public testing::Test {
 protected:
  void SetUp() override {
    World world;
    auto& ball = world.body("ball", {0, 0, 1});
    ball.free();
    ball.sphere(0.1);
    auto& hand = world.body("hand", {1, 2, 3});
    hand.mocap = true;
    hand.sphere(0.1);
    model_ = compile(world);
    state_ = State(model_);
    state_.time = 0.5;
    state_.q[2] = 1.0 / 3;
    input_ = Input(model_);
    ASSERT_EQ(input_.mocap.size(), 1u);
    input_.mocap[0] = {{4, 5, 6}, Quat(0.5, 0.5, -0.5, 0.5)};
    file_ = std::filesystem::path(testing::TempDir()) /
            ("abut_state_version_" + std::to_string(getpid()) + ".state");
    save_state(model_, state_, input_, file_);
    std::ostringstream text;
    text << std::ifstream(file_, std::ios::binary).rdbuf();
    saved_ = text.str();
  }
  void TearDown() override { std::filesystem::remove(file_); }

  // What reading these bytes throws; "" if it is a state.
  std::string refusal(const std::string& bytes) {
    std::ofstream(file_, std::ios::binary) << bytes;
    State state(model_);
    Input input(model_);
    try {
      load_state(model_, file_, state, input);
    } catch (const StateError& e) {
      return e.what();
    }
    read_state_ = state;
    read_input_ = input;
    return "";
  }

  Model model_;
  State state_, read_state_;
  Input input_, read_input_;
  std::filesystem::path file_;
  std::string saved_;
};

TEST_F(StateVersion, TheVersionIsAtItsPlace) {
  EXPECT_EQ(saved_.substr(0, 8), "abutstat");
  EXPECT_EQ(number_at<std::uint32_t>(saved_, kVersionAt), 5u);
  EXPECT_EQ(number_at<std::uint32_t>(saved_, kOrderAt), 0x01020304u);
  EXPECT_EQ(refusal(saved_), "");
  EXPECT_EQ(read_input_.mocap[0].q.coeffs(), input_.mocap[0].q.coeffs());
  EXPECT_EQ(read_input_.mocap[0].p, input_.mocap[0].p);
}

// The same content as saved_, as abut wrote it until version 4: no marks, poses as in memory.
TEST_F(StateVersion, FourIsConverted) {
  std::string old = saved_.substr(0, kVersionAt);
  append<std::uint32_t>(old, 4);
  const std::size_t velocities = 8 + 6 * 8, pose = 7 * 8, hash = 8;
  const std::size_t poses_at = saved_.size() - hash - velocities - pose;
  old += saved_.substr(kSignatureAt, poses_at - kSignatureAt);
  const Pose& x = input_.mocap[0];
  for (const double d : {x.p.x(), x.p.y(), x.p.z(), 0.0, x.q.x(), x.q.y(), x.q.z(), x.q.w()})
    append(old, d);
  old += saved_.substr(saved_.size() - hash - velocities);
  ASSERT_EQ(refusal(sealed(old)), "");
  EXPECT_TRUE(read_state_ == state_);
  EXPECT_EQ(read_input_.mocap[0].p, x.p);
  EXPECT_EQ(read_input_.mocap[0].q.coeffs(), x.q.coeffs());
}

TEST_F(StateVersion, OlderAndNewerAreRefusedByName) {
  for (const std::uint32_t version : {0u, 1u, 3u}) {
    std::string bytes = saved_;
    put_at(bytes, kVersionAt, version);
    EXPECT_THAT(refusal(sealed(bytes)),
                HasSubstr("format version " + std::to_string(version) + " of an older abut"));
  }
  for (const std::uint32_t version : {6u, 99u, 1000u}) {
    std::string bytes = saved_;
    put_at(bytes, kVersionAt, version);
    // whatever hash a newer version has
    EXPECT_THAT(refusal(bytes),
                HasSubstr("format version " + std::to_string(version) + " of a newer abut"));
  }
}

TEST_F(StateVersion, TheOtherByteOrderIsRefusedByName) {
  std::string bytes = saved_;
  std::reverse(bytes.begin() + kVersionAt, bytes.begin() + kVersionAt + 4);
  EXPECT_THAT(refusal(bytes), HasSubstr("other byte order"));
  bytes = saved_;
  std::reverse(bytes.begin() + kOrderAt, bytes.begin() + kOrderAt + 4);
  EXPECT_THAT(refusal(sealed(bytes)), HasSubstr("byte order"));
}

TEST_F(StateVersion, AnotherLayoutOfTheMemoryIsRefusedByName) {
  std::string bytes = saved_;
  put_at<std::uint64_t>(bytes, kLayoutAt, sizeof(PairMemory) + 8);
  EXPECT_THAT(refusal(sealed(bytes)), HasSubstr("contact memory"));
}

// A machine of 32 bits writes the same sizes; counts of 32 bits do not add up. Which of the checks sees
// it depends on the numbers that follow.
TEST_F(StateVersion, CountsOfAnotherWidthAreSeen) {
  std::string bytes = saved_;
  const std::size_t count_of_q = kSignatureAt + 16;
  ASSERT_EQ(number_at<std::uint64_t>(bytes, count_of_q), static_cast<std::uint64_t>(model_.nq));
  bytes.erase(count_of_q + 4, 4);
  EXPECT_THAT(refusal(sealed(bytes)),
              testing::AnyOf(HasSubstr("damaged"), HasSubstr("does not fit this world")));
}

TEST_F(StateVersion, CutShortIsSeen) {
  for (std::size_t length = 0; length < saved_.size(); length += 13) {
    EXPECT_NE(refusal(saved_.substr(0, length)), "") << length;
    if (length > 40) {
      EXPECT_NE(refusal(sealed(saved_.substr(0, length))), "") << length << ", sealed";
    }
  }
}

}  // namespace
}  // namespace abut::test
