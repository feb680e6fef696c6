// Drawings of solids: well-formed, whole on the paper, hidden edges told from visible ones.
#include "abut/view/plot/draw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <pugixml.hpp>
#include <regex>

#include "abut/shape/primitives.h"

namespace abut::view {
namespace {

using testing::HasSubstr;
using testing::Not;

Drawing boxes() {
  Drawing d;
  d.title = "Two boxes & <more>";
  d.solids.push_back({box_polyhedron({1, 1, 1}), Role::a, "A"});
  d.solids.push_back(
      {transformed(box_polyhedron({0.5, 1, 2}), {Vec3(0, 0, 3), Quat::Identity()}), Role::b, "B"});
  d.arrows.push_back({Vec3(0, 0, 1), Vec3(0, 0, 2), "n", Role::other});
  d.dots.push_back({Vec3(0, 0, 1), "p"});
  d.notes = {"a note"};
  return d;
}

pugi::xml_document parsed(const std::string& svg) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(svg.c_str())) << svg;
  return document;
}

TEST(Draw, IsWellFormedAndSaysWhatItWasTold) {
  const std::string svg = to_svg(boxes());
  const pugi::xml_document document = parsed(svg);
  EXPECT_STREQ(document.document_element().name(), "svg");
  for (const char* text : {"Two boxes &amp; &lt;more&gt;", ">A<", ">B<", ">n<", ">p<", "a note"})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST(Draw, EverythingIsOnThePaper) {
  const std::string svg = to_svg(boxes(), 400, 300);
  static const std::regex place(R"([ML](-?[0-9.]+) (-?[0-9.]+))");
  int places = 0;
  for (auto it = std::sregex_iterator(svg.begin(), svg.end(), place); it != std::sregex_iterator();
       ++it, ++places) {
    const double x = std::stod((*it)[1]), y = std::stod((*it)[2]);
    EXPECT_TRUE(x >= 0 && x <= 400 && y >= 0 && y <= 320) << x << " " << y;
  }
  EXPECT_GT(places, 40);
}

// Of a box's 12 edges, 9 are seen from a corner and 3 are behind.
TEST(Draw, HiddenEdgesAreDashed) {
  Drawing d;
  d.solids.push_back({box_polyhedron({1, 1, 1}), Role::a, ""});
  d.eye = {1, -1, 1};
  const pugi::xml_document document = parsed(to_svg(d));
  int solid = 0, dashed = 0;
  for (const pugi::xml_node path : document.document_element().children("path")) {
    if (std::string(path.attribute("fill").value()) != "none") continue;
    const std::string line = path.attribute("d").value();
    (path.attribute("stroke-dasharray") ? dashed : solid) +=
        static_cast<int>(std::count(line.begin(), line.end(), 'M'));
  }
  EXPECT_EQ(solid, 9);
  EXPECT_EQ(dashed, 3);
}

// The outline, not thousands of facets.
TEST(Draw, CurvedSolidsAreDrawnByTheirOutline) {
  Drawing d;
  d.solids.push_back({sphere_polyhedron(1), Role::a, ""});
  EXPECT_LT(to_svg(d).size(), 20000u);
}

TEST(Draw, WhatIsNotANumberIsNotDrawn) {
  Drawing d = boxes();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  d.dots.push_back({Vec3(nan, 0, 0), ""});
  d.arrows.push_back({Vec3(0, 0, 0), Vec3(0, 0, nan), "", Role::a});
  d.eye = Vec3(nan, 0, 1);
  const std::string svg = to_svg(d);
  parsed(svg);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(Draw, NothingIsAPictureToo) { parsed(to_svg(Drawing{})); }

}  // namespace
}  // namespace abut::view
