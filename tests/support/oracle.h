// Reference data that lives beside the tree, not in it: robot models and the numbers
// that other simulators compute for them.
//
//   TEST(MassMatrix, AgreesWithOracle) {
//     ABUT_ORACLE_OR_SKIP("oracle");
//     const auto folder = abut::test::shared_path("oracle");
//
// The folder is ../shared seen from the tree, or what ABUT_SHARED_DIR says. A test
// without its data is skipped and says so; with ABUT_REQUIRE_ORACLE=1 it fails.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "support/tree.h"

namespace abut::test {

inline std::filesystem::path shared_path(std::string_view relative) {
  const char* folder = std::getenv("ABUT_SHARED_DIR");
  const bool overridden = folder != nullptr && *folder != '\0';
  return (overridden ? std::filesystem::path(folder)
                     : std::filesystem::path(test::in_tree()) / ".." / "shared") /
         relative;
}

inline bool oracle_required() {
  const char* required = std::getenv("ABUT_REQUIRE_ORACLE");
  return required != nullptr && std::string_view(required) == "1";
}

}  // namespace abut::test

// Leaves the test, skipped or failed, when `relative` is not in the shared folder.
#define ABUT_ORACLE_OR_SKIP(relative)                                                   \
  do {                                                                                  \
    if (!std::filesystem::exists(::abut::test::shared_path(relative))) {                \
      if (::abut::test::oracle_required())                                              \
        GTEST_FAIL() << "no reference data: ../shared/" << (relative) << " is missing"; \
      GTEST_SKIP() << "no reference data: ../shared/" << (relative) << " is missing";   \
    }                                                                                   \
  } while (false)
