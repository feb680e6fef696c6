// CalmGeoms: the geoms of a large pile that hardly move in a step, for the contact data of the step
// (collide/calm_pairs.h). Decided by State alone.
//
//   collider.find(.., {.calm = calm.find(h, moment)}, ..);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/constrain/step/step_moment.h"
#include "abut/contact/fast/wide_islands.h"

namespace abut {

class CalmGeoms {
 public:
  // `many`: free bodies near others from which on geoms may be calm. The others must outlive it.
  CalmGeoms(const Model& model, const WideIslands& islands, const Collider& collider, int many)
      : model_(model), islands_(islands), collider_(collider), many_(many) {}

  // One a geom: of free bodies that hardly move, and of what never does. Empty: the pile is small.
  // Wants velocities() in moment.d.
  std::span<const std::uint8_t> find(double h, const StepMoment& moment);

 private:
  bool has_many_near(const ContactMemory& memory);
  bool is_calm(int geom, double h, const Derived& d) const;

  const Model& model_;
  const WideIslands& islands_;
  const Collider& collider_;
  int many_;
  std::vector<std::uint8_t> near_;  // one a tree
  std::vector<std::uint8_t> calm_;  // one a geom
};

}  // namespace abut
