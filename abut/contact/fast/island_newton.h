// IslandNewton: the impulses of an island that sweeps find slowly: towers, pyramids. A step of the
// method of multipliers, in the velocities of the bodies: with p the impulses so far, and a weight
// s = kStiff / D_nn,
//
//   M (u' - u) = J' (p' - p),      p' = p - s w(u') where that presses, else 0
//
// by Newton's method: (M + J' s J) du = residual, J of the contacts that press, until none opens or
// closes. Contacts that press stick there; the impulses are then projected onto Coulomb's cones.
// Redundant contacts leave it regular. Whether the step has led nearer to the solution is for sweeps
// to find out.
//
//   newton.index(contacts);
//   if (newton.take(island, contacts) <= most) newton.step(contacts, u);
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "abut/contact/fast/wide_contacts.h"
#include "abut/math/types.h"
#include "abut/solve/sparse/front_lu.h"

namespace abut {

class IslandNewton {
 public:
  // Which contacts each island has; before take().
  void index(WideContacts& contacts);
  // Multiplications that each system of this island takes.
  double take(int island, WideContacts& contacts);
  // A step of the island that was taken; u: one a mover, follows the impulses. Returns how many
  // systems were solved; 0: there is no step, and nothing is changed.
  int step(WideContacts& contacts, std::vector<LaneMotion>& u);

 private:
  struct Pair {
    std::int32_t block = 0, lane = 0;
    int a = -1, b = -1;  // nodes; -1: fixed
    int edge = -1;
  };
  struct Found {  // of a contact, in its frame (N s)
    Vec3 before, tried;
    bool presses;
  };

  void find_nodes(WideContacts& contacts);
  void find_edges();
  void add_masses(WideContacts& contacts);
  template <class Visit>
  void for_each_contact(WideContacts& contacts, const Visit& visit);
  using Twists = Eigen::Matrix<double, 1, 6>;
  void add(const Pair& pair, const std::pair<Twists, Twists>& row, double stiff);
  void add_push(const Pair& pair, const std::pair<Twists, Twists>& row, double p);
  bool solve(WideContacts& contacts, const std::vector<LaneMotion>& u);
  bool find_pressing(WideContacts& contacts);
  double* block(const Pair& pair, int of, int with);
  void apply(WideContacts& contacts, std::vector<LaneMotion>& u);

  std::vector<std::pair<std::int32_t, std::int32_t>> lanes_;  // block and lane, by island
  std::vector<int> begins_, next_;                            // one an island
  std::vector<Pair> pairs_;
  std::vector<int> movers_;   // of the nodes
  std::vector<int> node_of_;  // one a mover, -1: of another island
  std::vector<std::pair<int, int>> edges_;
  SparseBlocks K_;
  FrontLu lu_;
  std::vector<double> x_;  // six a node: residual, then du
  std::vector<Found> found_;
  std::vector<LaneMotion> moved_;  // u' so far
};

}  // namespace abut
