// Drawing: solids, arrows and dots that make a picture. Data alone, in the world's frame;
// view/plot/draw.h turns it into SVG.
//
//   abut::Drawing drawing;
//   drawing.solids.push_back({abut::transformed(box, X_WB), abut::Role::a, "box"});
//   drawing.arrows.push_back({p, p + 0.1 * normal, "n"});
#pragma once

#include <string>
#include <vector>

#include "abut/shape/polyhedron.h"

namespace abut {

// Meaning of an element, which determines its colour.
enum class Role { a, b, volume, other };

struct Drawing {
  struct Solid {
    Polyhedron polyhedron;
    Role role = Role::other;
    std::string name;  // written beside it; may be empty
  };
  struct Sheet {  // a flat piece, as of a half-space's plane
    std::vector<Vec3> loop;
    Role role = Role::other;
    std::string name;
  };
  struct Arrow {
    Vec3 from = Vec3::Zero(), to = Vec3::Zero();
    std::string name;
    Role role = Role::other;
  };
  struct Dot {
    Vec3 at = Vec3::Zero();
    std::string name;
  };

  std::string title;
  std::vector<std::string> notes;  // lines of text below the picture
  std::vector<Solid> solids;
  std::vector<Sheet> sheets;
  std::vector<Arrow> arrows;
  std::vector<Dot> dots;
  std::vector<std::vector<Vec3>> outlines;  // closed loops drawn over the solids
  Vec3 eye{1, -2.4, 0.9};                   // direction to the viewer; z is up
};

}  // namespace abut
