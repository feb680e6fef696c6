// What compile() says when it refuses a world.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "abut/model/model.h"

namespace abut::test {

// The message, or "" if the world compiles.
inline std::string refusal(const World& world) {
  try {
    compile(world);
  } catch (const WorldError& error) {
    return error.what();
  }
  return {};
}

}  // namespace abut::test

#define EXPECT_REFUSED(world, text) \
  EXPECT_THAT(::abut::test::refusal(world), ::testing::HasSubstr(text))
