// The worlds of Williams, Lu and Trinkle, built in code. Those that name a file are in worlds/peg
// too, to be run and looked at (a test compares them). Nothing in them has friction.
#pragma once

#include <array>

#include "abut/model/world.h"

namespace abut::reproduce {

// P-X1, Fig. 1: a flat world, a fixed square of side 1 m at the origin, and a smaller one standing
// on its corner, whose left vertex comes down past the square's upper right corner, 0.1 m beside
// it. Step 0.25 s, no gravity; it moves with (0, -1) m/s: worlds/peg/corner.xml.
World corner();

// P-X5, Figs 9 and 11: two triangles of mass 1 kg and J = 1/12 kg m^2 in the plane, step 0.5 s, no
// gravity. A comes with (-1, 0) m/s, B is at rest.
struct Triangles {
  std::array<Vec2, 3> A, B;  // m; the first of each is the one in front
};
Triangles triangles_on_a_line();                   // F11-G: lower sides in one line
Triangles triangles_tilted();                      // F11-T: turned by 10 degrees, 0.05 m higher
World triangle_world(const Triangles& triangles);  // F11-T: worlds/peg/triangles.xml

// P-X6, Figs 10 and 12: a red cube of side 1 m and 1 kg at rest, `gap` (m) over a blue one that is
// fixed. Step 0.25 s; gap 0.1 is worlds/peg/block_on_block.xml.
World block_on_block(double gap);

// Figs 7 and 8: a cube of 1 kg and side 1 m comes down at 1 m/s with a vertex on an edge, or on a
// vertex, of one of 2 kg, a little beside it. Both are free; step 0.25 s, no gravity:
// worlds/peg/vertex_edge.xml, vertex_vertex.xml.
World vertex_over_edge();
World vertex_over_vertex();

// P-X7: cubes of side 1 m and 1 kg standing on each other and on the ground, with friction 0.5.
// Step `h` (s); 10 cubes and 0.02 s is worlds/peg/stack.xml.
World stack_of_cubes(int count, double h);

}  // namespace abut::reproduce
