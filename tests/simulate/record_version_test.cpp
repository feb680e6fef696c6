// Recordings of other versions: what docs/compatibility.md says of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "abut/model/world.h"
#include "abut/simulate/record/record.h"
#include "abut/simulate/record/recording.h"

namespace abut::test {
namespace {

using testing::HasSubstr;

class RecordVersion : public testing::Test {
 protected:
  void SetUp() override {
    World world;
    auto& ball = world.body("ball", {0, 0, 1});
    ball.free();
    ball.sphere(0.1);
    model_ = compile(world);
    file_ = std::filesystem::path(testing::TempDir()) /
            ("abut_record_version_" + std::to_string(getpid()) + ".h5");
    Recorder recorder(model_, file_);
    recorder.record(0, State(model_), Input(model_));
    recorder.close();
  }
  void TearDown() override { std::filesystem::remove(file_); }

  // Sets a number of the file's root, of this type; without a type it is removed.
  void set(const char* name, int value, hid_t type) {
    const hid_t file = H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    if (H5Aexists(file, name) > 0) {
      ASSERT_GE(H5Adelete(file, name), 0);
    }
    if (type >= 0) {
      const hid_t space = H5Screate(H5S_SCALAR);
      const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
      ASSERT_GE(H5Awrite(attribute, H5T_NATIVE_INT, &value), 0);
      H5Aclose(attribute);
      H5Sclose(space);
    }
    H5Fclose(file);
  }
  std::string refusal() const {
    try {
      const Recording recording(file_);
    } catch (const RecordError& e) {
      return e.what();
    }
    return "";
  }
  std::string refusal_of_state() const {
    try {
      State state(model_);
      Recording(file_).read_state(0, state);
    } catch (const RecordError& e) {
      return e.what();
    }
    return "";
  }

  Model model_;
  std::filesystem::path file_;
};

TEST_F(RecordVersion, ItsOwnIsReadInEitherByteOrder) {
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(refusal_of_state(), "");
  set("format_version", kRecordVersion, H5T_STD_I32BE);
  EXPECT_EQ(refusal(), "");
  set("format_version", kRecordVersion, H5T_STD_I64BE);
  EXPECT_EQ(refusal_of_state(), "");
}

TEST_F(RecordVersion, NewerIsRefusedByName) {
  set("format_version", kRecordVersion + 1, H5T_STD_I32LE);
  EXPECT_THAT(refusal(), HasSubstr("format version 3 of a newer abut; this abut reads versions 1"));
}

TEST_F(RecordVersion, NoneIsRefused) {
  set("format_version", 0, -1);
  EXPECT_THAT(refusal(), HasSubstr("no format version"));
}

TEST_F(RecordVersion, OneIsReadAndNotGoneOnFrom) {
  set("format_version", 1, H5T_STD_I32LE);
  EXPECT_EQ(Recording(file_).read("q").size(), 7u);
  EXPECT_THAT(refusal_of_state(), HasSubstr("format version 1"));
}

TEST_F(RecordVersion, AnotherLayoutOfTheMemoryIsReadAndNotGoneOnFrom) {
  set("memory_layout", 128, H5T_STD_I32LE);
  EXPECT_EQ(Recording(file_).read("q").size(), 7u);
  EXPECT_THAT(refusal_of_state(), HasSubstr("lays out"));
  // those of abut 0.1 do not say it
  set("memory_layout", 0, -1);
  EXPECT_EQ(refusal_of_state() == "", sizeof(PairMemory) == 120);
}

TEST_F(RecordVersion, CutShortIsRefused) {
  const auto length = std::filesystem::file_size(file_);
  for (const auto part : {length / 2, length / 4, std::uintmax_t{100}, std::uintmax_t{0}}) {
    std::filesystem::resize_file(file_, part);
    EXPECT_NE(refusal(), "") << part;
  }
}

}  // namespace
}  // namespace abut::test
