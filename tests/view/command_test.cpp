// What a client may say, and that nothing else gets through.
#include "abut/view/live/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/soak.h"

namespace abut::view {
namespace {

using Do = Command::Do;

TEST(Command, ReadsEachWord) {
  const Command grab =
      parse_command(R"({"do":"grab","body":3,"point":[0,0,0.1],"target":[1,2,3]})");
  EXPECT_EQ(grab.what, Do::grab);
  EXPECT_EQ(grab.body, 3);
  EXPECT_EQ(grab.to, Vec3(1, 2, 3));
  EXPECT_EQ(parse_command(R"({"do":"step"})").count, 1);
  EXPECT_EQ(parse_command(R"({"do":"step","n":20})").count, 20);
  EXPECT_EQ(parse_command(R"({"do":"seek","step":0})").count, 0);
  EXPECT_EQ(parse_command(R"({"do":"lanes","contact":["st","ap"]})").names.size(), 2u);
  EXPECT_EQ(parse_command(R"({"do":"contact","value":"ap"})").name, "ap");
  EXPECT_TRUE(parse_command(R"({"do":"show","volumes":true})").show.volumes);
  for (const char* word : {"play", "pause", "reset", "undo", "release", "back", "seen"})
    EXPECT_EQ(name(parse_command(std::string(R"({"do":")") + word + "\"}").what), word);
}

TEST(Command, RefusesTheRest) {
  for (const char* text :
       {"",
        "{",
        "null",
        "[]",
        "\"play\"",
        "42",
        "{}",
        R"({"do":1})",
        R"({"do":"dance"})",
        R"({"do":"grab"})",
        R"({"do":"grab","body":1.5,"point":[0,0,0],"target":[0,0,0]})",
        R"({"do":"grab","body":-1,"point":[0,0,0],"target":[0,0,0]})",
        R"({"do":"grab","body":1,"point":[0,0],"target":[0,0,0]})",
        R"({"do":"grab","body":1,"point":[0,0,1e300],"target":[0,0,0]})",
        R"({"do":"grab","body":1,"point":[0,0,1e999],"target":[0,0,0]})",
        R"({"do":"grab","body":1,"point":[0,0,null],"target":[0,0,0]})",
        R"({"do":"grab","body":99999999999999999999,"point":[0,0,0],"target":[0,0,0]})",
        R"({"do":"step","n":0})",
        R"({"do":"step","n":1000000})",
        R"({"do":"step","n":"1"})",
        R"({"do":"speed","value":0})",
        R"({"do":"speed","value":-1})",
        R"({"do":"timestep","value":0})",
        R"({"do":"lanes","contact":[]})",
        R"({"do":"lanes","contact":["a","b","c","d","e"]})",
        R"({"do":"contact"})",
        R"({"do":"throw","position":[0,0,0],"velocity":[0,0,0],"size":-1})",
        "\xff\xfe",
        R"({"do":"play"}{"do":"play"})"})
    EXPECT_THROW(parse_command(text), CommandError) << text;
  EXPECT_THROW(parse_command(R"({"do":"contact","value":")" + std::string(1000, 'x') + "\"}"),
               CommandError);
  EXPECT_THROW(parse_command(std::string(kMostCommandBytes + 1, ' ')), CommandError);
  EXPECT_THROW(parse_command(std::string(10000, '[')), CommandError);
  std::string nested;
  for (int i = 0; i < 2000; ++i) nested += "{\"do\":";
  EXPECT_THROW(parse_command(nested), CommandError);
}

bool sound(const Command& c) {
  return c.at.allFinite() && c.to.allFinite() && std::isfinite(c.value) && c.count >= 0 &&
         c.lane >= 0 && c.lane < kMostLanes && c.names.size() <= kMostLanes && c.name.size() <= 64;
}

// Damaged messages are refused or are other commands: nothing else can come out.
TEST(Command, WithstandsDamage) {
  const std::string seeds[] = {R"({"do":"grab","body":3,"point":[0,0,0.1],"target":[1,2,3]})",
                               R"({"do":"throw","position":[0,0,1],"velocity":[1,0,0],"size":0.1})",
                               R"({"do":"lanes","contact":["st","ap"]})",
                               R"({"do":"seek","step":120})",
                               R"({"do":"show","contacts":true,"volumes":false})",
                               R"({"do":"control","index":1,"value":0.5})"};
  std::mt19937 random(20261);
  const auto pick = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const std::string pieces[] = {"1e999", "-",       "null",  "[[", "}}",
                                "\"",    "\\u0000", "1e308", "-0", "999999999999999999999",
                                "\xc3",  "{",       ":",     ","};
  int understood = 0;
  int tried = 0;
  for (const test::Soak soak(0.2); soak.goes_on() || tried < 3000; ++tried) {
    std::string text = seeds[pick(std::size(seeds))];
    for (std::size_t n = 1 + pick(4); n > 0; --n) {
      const std::size_t at = pick(text.size() + 1);
      switch (pick(4)) {
        case 0:
          text.insert(at, pieces[pick(std::size(pieces))]);
          break;
        case 1:
          if (at < text.size()) text[at] = static_cast<char>(pick(256));
          break;
        case 2:
          text.erase(at, 1 + pick(6));
          break;
        default:
          text.insert(at, text.substr(0, pick(text.size() + 1)));
          break;
      }
      if (text.empty()) text = " ";
    }
    try {
      EXPECT_TRUE(sound(parse_command(text))) << text;
      ++understood;
    } catch (const CommandError&) {
    }
  }
  EXPECT_GT(understood, 20);
}

}  // namespace
}  // namespace abut::view
