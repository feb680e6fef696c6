// Figs 9 and 11 of Williams, Lu and Trinkle by hand: the four contacts of two triangles that meet
// with a vertex each, and every solution that the paper's constraints have, by enumeration (P-21,
// P-X5). Nothing of the contact models' own code is used.
//
//   for (const TriangleSolution& s : peg_solutions(triangles_tilted(), 0.5)) show(s.velocity);
#pragma once

#include <array>
#include <vector>

#include "abut/math/types.h"
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"

namespace abut::reproduce {

// C1 of A's vertex and the edge that comes into B's, C2 and the one that leaves it; C3 of B's
// vertex and the edge that comes into A's, C4 and the one that leaves it.
std::array<double, 4> triangle_gaps(const Triangles& t);  // m
// Moved with (x, y, turn) of A and of B, about their centres.
Triangles moved(const Triangles& t, const std::array<double, 6>& by);

struct TriangleSolution {
  std::array<double, 6> velocity{};  // of A, then B: x, y, turn
  std::array<double, 4> impulse{};   // N s
  double motion = 0;                 // J: 1/2 dv' M dv
};
// All sets of forces at C2 and C3, the contacts that can have one, which satisfy I(C2 | C1) and
// I(C3 | C4) with gaps linear in the step h (s): lnc. peg: X(C1, C4) and X(C2, C3) too.
std::vector<TriangleSolution> lnc_solutions(const Triangles& t, double h);
std::vector<TriangleSolution> peg_solutions(const Triangles& t, double h);

}  // namespace abut::reproduce
