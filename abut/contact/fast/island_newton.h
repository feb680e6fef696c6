// IslandNewton: the impulses of an island that sweeps find slowly: towers, pyramids. A step of the
// method of multipliers, in the velocities u' of the bodies. With p the impulses so far, u the
// velocities that they lead to, K Coulomb's cone and s a weight,
//
//   M (u' - u) = J' (p' - p),      p' = the point of K nearest to p - s (w(u') + shift),
//   shift      = friction |w_t(u)| along the normal
//
// (the shift makes what slides keep to Coulomb's law: De Saxce 1992). This is where a
// convex function of u' is least. It is found by Newton's method with a line search, for a soft
// weight first and then for harder ones, each from what the one before has found. Redundant
// contacts leave the systems regular. Whether the step has led nearer to the solution is for sweeps
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
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  using Rows = Eigen::Matrix<double, 3, 6>;

  struct Pair {
    std::int32_t block = 0, lane = 0;
    int a = -1, b = -1;  // nodes; -1: fixed
    int edge = -1;
    int begin = 0, end = 0;  // of contacts_
  };
  struct Contact {    // in the frame of the pair: normal, two tangents
    Rows of_a, of_b;  // what the twists of A and B are of w
    Vec3 rest;        // m/s: what w has beside them
    Vec3 first;       // N s: the impulse before the step,
    Vec3 before, p;   // so far, and at the velocities moved_
    Vec3 tried, w;    // p before it is put into the cone; w and the shift
    double friction, inverse_nn, shift;
    int point;  // LanePoint
  };

  void find_nodes(WideContacts& contacts);
  void find_edges();
  void find_contacts(WideContacts& contacts);
  void find_start(const std::vector<LaneMotion>& u, const WideContacts& contacts);
  int minimise(double weight);
  Vec3 slip(const Pair& pair, const Contact& c) const;
  void find_impulses(double weight);
  double find_residual();
  double cost(double weight) const;
  bool find_direction(double weight);
  void add_pair(const Pair& pair, double weight);
  bool search(double weight);
  void apply(WideContacts& contacts, std::vector<LaneMotion>& u);

  std::vector<std::pair<std::int32_t, std::int32_t>> lanes_;  // block and lane, by island
  std::vector<int> begins_, next_;                            // one an island
  std::vector<Pair> pairs_;
  std::vector<Contact> contacts_;
  std::vector<int> movers_;   // of the nodes
  std::vector<int> node_of_;  // one a mover, -1: of another island
  std::vector<std::pair<int, int>> edges_;
  SparseBlocks K_;
  FrontLu lu_;
  std::vector<Mat6> masses_;                // one a node, as all that follows
  std::vector<Vec6> start_, moved_, from_;  // velocities: u, u', u' before the last step
  std::vector<double> x_;                   // six a node: residual, then a direction
};

}  // namespace abut
