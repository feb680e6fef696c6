// The one writer: what it may replace, what it leaves when it fails, and what it never touches.
#include "abut/math/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "support/attacks.h"

namespace abut {
namespace {

namespace fs = std::filesystem;
using test::mode_of;
using test::put_text;
using test::text_of;
using testing::HasSubstr;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("abut_output_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    put_text(precious_ = folder_ / "precious", "do not touch");
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The refusal; empty: it was written.
  static std::string refusal(const fs::path& file) {
    try {
      write_file(file, "new");
    } catch (const FileError& e) {
      return e.what();
    }
    return "";
  }
  int files() const { return static_cast<int>(std::distance(fs::directory_iterator(folder_), {})); }

  fs::path folder_, precious_;
};

TEST_F(OutputFileTest, ReplacesNothingButRegularFiles) {
  for (const test::Attack& attack : test::attacks(precious_)) {
    const fs::path file = folder_ / "out";
    if (!attack.plant(file)) continue;
    const mode_t before = mode_of(file);
    const int count = files();
    EXPECT_THAT(refusal(file), HasSubstr(attack.word)) << attack.name;
    EXPECT_THAT(refusal(file), HasSubstr(file.string())) << attack.name;
    EXPECT_THROW(check_output(file), FileError) << attack.name;
    EXPECT_EQ(mode_of(file), before) << attack.name;
    EXPECT_EQ(files(), count) << attack.name;
    EXPECT_EQ(text_of(precious_), "do not touch");
    fs::remove(file);
  }
}

TEST_F(OutputFileTest, TemporaryNamesCannotBePlantedInAdvance) {
  const fs::path file = folder_ / "out";
  for (const char* guess : {"out.part", ".out.part", "out.tmp", "out~"})
    fs::create_symlink(precious_, folder_ / guess);
  EXPECT_EQ(refusal(file), "");
  EXPECT_EQ(text_of(file), "new");
  EXPECT_EQ(text_of(precious_), "do not touch");
  // two at a time have different names, and each is known only once it is there
  const OutputFile a(folder_ / "a"), b(folder_ / "b");
  EXPECT_EQ(files(), 1 + 4 + 1 + 2);
}

TEST_F(OutputFileTest, KeepsTheModeOfWhatItReplaces) {
  const fs::path file = folder_ / "out";
  for (const mode_t mode : {0600u, 0640u, 0666u, 0755u}) {
    put_text(file, "old");
    chmod(file.c_str(), mode);
    {
      // not even the temporary file can be read by others
      OutputFile out(file);
      struct stat s {};
      fstat(out.descriptor(), &s);
      EXPECT_EQ(s.st_mode & 0777u, mode);
      out.write("new");
      EXPECT_EQ(text_of(file), "old");
      out.close();
    }
    EXPECT_EQ(text_of(file), "new");
    EXPECT_EQ(mode_of(file) & 07777u, mode);
    fs::remove(file);
  }
  for (const mode_t mask : {022u, 077u}) {
    const mode_t before = umask(mask);
    write_file(file, "new");
    umask(before);
    EXPECT_EQ(mode_of(file) & 07777u, 0666u & ~mask);
    fs::remove(file);
  }
}

TEST_F(OutputFileTest, KeepsTheOwner) {
  if (geteuid() != 0) GTEST_SKIP() << "only root writes files of others";
  const fs::path file = folder_ / "out";
  put_text(file, "old");
  ASSERT_EQ(chown(file.c_str(), 1234, 4321), 0);
  ASSERT_EQ(chmod(file.c_str(), 0640), 0);
  write_file(file, "new");
  struct stat s {};
  stat(file.c_str(), &s);
  EXPECT_EQ(s.st_uid, 1234u);
  EXPECT_EQ(s.st_gid, 4321u);
  EXPECT_EQ(s.st_mode & 0777u, 0640u);
}

TEST_F(OutputFileTest, RespectsRights) {
  if (geteuid() == 0) GTEST_SKIP() << "root may do all";
  const fs::path file = folder_ / "out";
  put_text(file, "old");
  chmod(file.c_str(), 0400);
  EXPECT_THAT(refusal(file), HasSubstr("Permission denied"));
  EXPECT_EQ(text_of(file), "old");
  fs::create_directory(folder_ / "closed");
  chmod((folder_ / "closed").c_str(), 0500);
  EXPECT_THAT(refusal(folder_ / "closed/out"), HasSubstr("Permission denied"));
}

TEST_F(OutputFileTest, LeavesNoTraceOfWhatWasNotPublished) {
  const fs::path file = folder_ / "out";
  put_text(file, "old");
  {
    OutputFile out(file);
    out.write("half");
  }
  check_output(file);
  check_output(folder_ / "new");
  EXPECT_EQ(text_of(file), "old");
  EXPECT_EQ(files(), 2);
}

TEST_F(OutputFileTest, CanBeReadAlongOnceItIsPublished) {
  const fs::path file = folder_ / "out";
  OutputFile out(file);
  out.write("a\n");
  EXPECT_FALSE(fs::exists(file));
  out.publish();
  EXPECT_EQ(text_of(file), "a\n");
  out.write("b\n");
  EXPECT_EQ(text_of(file), "a\nb\n");
  out.close();
  EXPECT_EQ(text_of(file), "a\nb\n");
}

TEST_F(OutputFileTest, SaysIfItsNameWasTakenAway) {
  const fs::path file = folder_ / "out";
  OutputFile removed(file);
  removed.publish();
  fs::remove(file);
  EXPECT_THROW(removed.close(), FileError);
  OutputFile replaced(file);
  replaced.publish();
  fs::remove(file);
  fs::create_symlink(precious_, file);
  replaced.write("new");
  EXPECT_THROW(replaced.close(), FileError);
  EXPECT_EQ(text_of(precious_), "do not touch");
}

// Half a row is never left, nor half a file.
TEST_F(OutputFileTest, AFullDiskLeavesWhatWasWhole) {
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit low = before;
  low.rlim_cur = 10;
  const fs::path file = folder_ / "out", rows = folder_ / "rows";
  put_text(file, "old");
  setrlimit(RLIMIT_FSIZE, &low);
  std::string whole, row;
  try {
    write_file(file, "longer than ten");
  } catch (const FileError& e) {
    whole = e.what();
  }
  OutputFile table(rows);
  table.write("row 1\n");
  table.publish();
  try {
    table.write("row 2\n");
  } catch (const FileError& e) {
    row = e.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THAT(whole, HasSubstr("File too large"));
  EXPECT_THAT(row, HasSubstr("File too large"));
  EXPECT_EQ(text_of(file), "old");
  EXPECT_EQ(text_of(rows), "row 1\n");
  EXPECT_EQ(files(), 3);
}

TEST_F(OutputFileTest, RefusesNamesThatAreNone) {
  for (const fs::path& file : {fs::path(""), folder_, folder_ / "", folder_ / ".", folder_ / "..",
                               folder_ / "missing/out", precious_ / "out", fs::path("/proc/out")})
    EXPECT_THROW(write_file(file, "x"), FileError) << file;
  const fs::path longest = folder_ / std::string(255, 'n');
  EXPECT_EQ(refusal(longest), "");
  EXPECT_NE(refusal(folder_ / std::string(256, 'n')), "");
  make_output_folder(folder_ / "a/b", "--out");
  EXPECT_TRUE(fs::is_directory(folder_ / "a/b"));
  EXPECT_THROW(make_output_folder(precious_, "--out"), FileError);
}

// A folder may be a link: people keep their results on another disk.
TEST_F(OutputFileTest, FoldersMayBeLinks) {
  fs::create_directory(folder_ / "real");
  fs::create_directory_symlink(folder_ / "real", folder_ / "link");
  write_file(folder_ / "link/out", "new");
  EXPECT_EQ(text_of(folder_ / "real/out"), "new");
}

}  // namespace
}  // namespace abut
