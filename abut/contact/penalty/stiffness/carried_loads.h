// CarriedLoads: what each contact carries if everything that lies on something
// is at rest. A heavy body on a light one needs springs for its weight from the
// first touch on: those that wait until they have measured it
// (GainTable::follow_load) get stiffer under a body that is deep inside, and
// throw it.
//
// A contact whose normal is not level has an upper and a lower body. A body
// carries its own weight and its part of what lies on it, and those on which it
// lies share that evenly:
//
//   x_b = m_b g + sum over u on b of x_u / (number of bodies that u lies on)
//
// Sags add up: the top of n bodies sinks by n of them, and a column of springs
// that give way by 1e-3 of a body each buckles from some 20 bodies on
// (Greenhill's column, by its own weight). So what is piled up higher than kLow
// bodies has springs that are as many times stiffer (storeys).
//
// That is a guess where supports share unevenly, and knows nothing of pushes;
// what is measured corrects it. Free bodies alone: robots lean and grasp.
//
//   loads.begin();
//   for (..) loads.add(geom_a, geom_b, normal);
//   loads.finish();
//   double N = loads.of(geom_a, geom_b);
#pragma once

#include <span>
#include <vector>

#include "abut/contact/penalty/stiffness/mobility.h"

namespace abut {

class CarriedLoads {
 public:
  CarriedLoads(const Model& model, const Mobility& mobility);

  void begin();
  void add(int geom_a, int geom_b, const Vec3& normal);  // unit, from A to B
  // Allocates nothing once it is warm.
  void finish();
  // N: between the bodies of two geoms that were added; 0: nothing, or it is
  // level or a robot's.
  double of(int geom_a, int geom_b) const;
  // N: what its springs are to be for. The same, but where bodies are piled up
  // higher than kLow the most that any contact there carries: arches thrust
  // sideways, and lean on their neighbours.
  double load(int geom_a, int geom_b) const;
  // m: of the smallest body that the contact carries; of the smaller of the two
  // at most.
  double size(int geom_a, int geom_b) const;
  // What a sag in parts of the smaller of the two has to be multiplied by to be
  // one in parts of the smallest body that the contact carries: 1 to 2, since a
  // pebble on a rock asks for nothing.
  double finer(int geom_a, int geom_b) const;
  // How many times stiffer than for its load alone: 1, or more where bodies are
  // piled up that touch each other and one of the two: kStiffer (n - kLow), n
  // the most that lie on each other.
  double storeys(int geom_a, int geom_b) const;
  // Whether the upper of the two carries more than itself, or the lower lies on
  // something.
  bool stacked(int geom_a, int geom_b) const;

  static constexpr int kLow = 4;
  static constexpr double kStiffer = 3;

 private:
  int root(int tree) const;
  int pile(int geom_a, int geom_b) const;  // root of what the two are piled up in; -1: nothing
  struct Rest {
    int upper = 0, lower = -1;  // trees; -1: fixed or driven
    auto operator<=>(const Rest&) const = default;
  };
  std::span<const Rest> under(int tree) const;
  const Rest* find(int geom_a, int geom_b) const;  // null: nothing that counts

  const Mobility& mobility_;
  Vec3 up_ = Vec3::Zero();      // 0: no gravity
  std::vector<double> weight_;  // N, of each tree; 0: a robot's
  std::vector<double> sizes_;   // m
  std::vector<double> carries_, smallest_;
  std::vector<int> above_;  // how many that lie on it have not been looked at
  std::vector<int> bears_;  // how many lie on it
  std::vector<int> ready_;
  std::vector<int> piled_;          // how many lie on each other down to it
  std::vector<int> parent_;         // of bodies that touch each other: towards one of them
  std::vector<int> highest_;        // of a root: the most
  std::vector<double> heaviest_;    // N: of a root, carried by a contact
  std::vector<Rest> rests_;         // by upper, lower
  std::vector<int> first_, count_;  // of each tree: the range of those that it lies on
};

}  // namespace abut
