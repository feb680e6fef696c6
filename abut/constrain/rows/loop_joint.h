// Joints between two frames, one on each body, as rows of constraint functions g and their exact
// rates (C-1, C-2). With A and B the frames in the world, d = B.p - A.p, and x, y, z their axes;
// the axis of a joint is z:
//
//   connect       d = 0                                             3 rows
//   weld          d = 0, r = 0                                      6
//   hinge         d = 0, z_B . x_A = z_B . y_A = 0                  5
//   slide         d . x_A = d . y_A = 0, r = 0                      5
//   cylindrical   d . x_A = d . y_A = 0, z_B . x_A = z_B . y_A = 0  4
//   universal     d = 0, z_A . z_B = 0                              4
//   planar        d . z_A = 0, z_B . x_A = z_B . y_A = 0            3
//   distance      |d| = length                                      1
//   gear          n_1 theta_1 + n_2 theta_2 = 0, up to whole teeth; theta is the angle of each
//                 frame about the axis, from its orientation at qpos0                1
//
// d = 0 is written in world axes, each body with its own point, as in Cline and Pai (and their
// figures: in A's axes the chain of C-X1 drifts by 3.6 mm, not 2.7). r is the rotation vector from
// A to B, in A's axes, and so are positions along A's axes. Rates are consistent with errors of any
// size (C-N3); r up to half a turn.
//
//   std::array<LoopRow, 6> row;
//   int count = loop_joint_rows(e, A, B, row);   // row[k].error, d(error)/dt = row[k].on_A . ..
#pragma once

#include <array>

#include "abut/math/spatial.h"
#include "abut/model/model.h"

namespace abut {

struct LoopRow {
  double error = 0;    // m, or rad
  bool angle = false;  // error is an angle
  // error' = on_A . twist of A + on_B . twist of B, both twists at B.p
  Spatial on_A, on_B;
};

// Whether the type is one of the kinds above; joint and tendon have no frames.
bool has_frames(EqualityType type);

// Computes the rows; returns their number.
int loop_joint_rows(const Equality& e, const Pose& A, const Pose& B, std::array<LoopRow, 6>& rows);

}  // namespace abut
