// Real robots: each file loads, compiles, and warns at most once of a thing.
#include <gtest/gtest.h>

#include <set>

#include "abut/load/load.h"
#include "support/oracle.h"

namespace abut {
namespace {

TEST(Robots, AllLoadAndWarnOnce) {
  ABUT_ORACLE_OR_SKIP("models");
  int count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(test::shared_path("models"))) {
    if (entry.path().extension() != ".xml" || entry.path().parent_path().filename() == "assets")
      continue;
    SCOPED_TRACE(entry.path());
    try {
      const World w = load_world(entry.path());
      std::set<std::string> said;
      for (const Warning& warning : w.warnings) {
        EXPECT_TRUE(said.insert(warning.text).second) << warning.text;
        EXPECT_GT(warning.source.line, 0);
      }
      if (!w.worldbody.bodies.empty()) {
        EXPECT_GT(compile(w).nv, 0);
      }
      ++count;
    } catch (const WorldError& e) {
      ADD_FAILURE() << e.what();
    }
  }
  EXPECT_GT(count, 10);
}

}  // namespace
}  // namespace abut
