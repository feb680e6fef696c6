// A test that wants reference data is skipped without it, and fails when told to.
#include "support/oracle.h"
#include "support/tree.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace abut::test {
namespace {

// Sets an environment variable (or unsets it) for a scope.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {  // null: unset
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~Environment() { set(old_ ? old_->c_str() : nullptr); }

 private:
  void set(const char* value) const {
    if (value != nullptr) {
      setenv(name_, value, 1);
    } else {
      unsetenv(name_);
    }
  }

  const char* name_;
  std::optional<std::string> old_;
};

bool went_on = false;

void want(const char* relative) {
  went_on = false;
  ABUT_ORACLE_OR_SKIP(relative);
  went_on = true;
}

// What `want` reports, without it counting for the running test.
struct Outcome {
  bool went_on = false;
  bool skipped = false;
  bool failed = false;
  std::string message;
};

Outcome outcome(const char* relative) {
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter intercept(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    want(relative);
  }
  Outcome seen;
  seen.went_on = went_on;
  for (int i = 0; i < results.size(); ++i) {
    const testing::TestPartResult& result = results.GetTestPartResult(i);
    seen.skipped |= result.skipped();
    seen.failed |= result.fatally_failed();
    seen.message += result.message();
  }
  return seen;
}

TEST(Oracle, IsUsedWhenThere) {
  const Environment shared("ABUT_SHARED_DIR", test::in_tree().c_str());
  for (const char* required : {"0", "1"}) {
    const Environment require("ABUT_REQUIRE_ORACLE", required);
    const Outcome seen = outcome("tests");
    EXPECT_TRUE(seen.went_on);
    EXPECT_FALSE(seen.skipped || seen.failed) << seen.message;
  }
}

TEST(Oracle, MissingSkipsAndSaysWhy) {
  const Environment shared("ABUT_SHARED_DIR", test::in_tree("/no-such-folder").c_str());
  for (const char* required : {static_cast<const char*>(nullptr), "0", ""}) {
    const Environment require("ABUT_REQUIRE_ORACLE", required);
    const Outcome seen = outcome("oracle");
    EXPECT_FALSE(seen.went_on);
    EXPECT_TRUE(seen.skipped);
    EXPECT_FALSE(seen.failed);
    EXPECT_NE(seen.message.find("oracle is missing"), std::string::npos) << seen.message;
  }
}

TEST(Oracle, MissingFailsWhenRequired) {
  const Environment shared("ABUT_SHARED_DIR", test::in_tree("/no-such-folder").c_str());
  const Environment require("ABUT_REQUIRE_ORACLE", "1");
  const Outcome seen = outcome("oracle");
  EXPECT_FALSE(seen.went_on);
  EXPECT_TRUE(seen.failed);
}

TEST(Oracle, LivesBesideTheTree) {
  const Environment shared("ABUT_SHARED_DIR", nullptr);
  EXPECT_EQ(shared_path("models").lexically_normal(),
            (std::filesystem::path(test::in_tree()).parent_path() / "shared" / "models")
                .lexically_normal());
}

}  // namespace
}  // namespace abut::test
