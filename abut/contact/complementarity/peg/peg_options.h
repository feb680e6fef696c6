// The planes that a pair could have, by the motion that they need.
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/rows/constraint_rows.h"
#include "abut/contact/complementarity/peg/peg_scene.h"

namespace abut {

struct PegOption {
  SeparatingPlane plane;
  Vec3 normal = Vec3::Zero();
  double least = 0;     // J: no branch with this plane moves less
  bool parted = false;  // it parts the pair at the start of the step
  bool meets = false;   // the vertices nearest to it are over the face that makes it
};

class PegOptions {
 public:
  // Of a pair that are tried: enough that the cheapest is among them wherever the search began.
  static constexpr std::size_t kMost = 48;

  PegOptions(const Model& model, const Collider& collider);

  // Gives a pair the cheapest plane that has not failed since forget_failures(); false: none is
  // left. Wants go_to_end(change) and factor_end().
  bool pick(PegScene& scene, PegChoice& choice, std::span<const double> change);
  void note_failure(const PegChoice& c) { failed_.push_back({c.key, c.plane}); }
  void forget_failures() { failed_.clear(); }
  int failures() const { return static_cast<int>(failed_.size()); }

  // Planes that could do with less motion than that of a pair, which is one of the `pairs` of a
  // branch that moves `motion` (J); the cheapest first. Wants what pick() does.
  void find_cheaper(PegScene& scene, const PegChoice& choice, std::span<const double> change,
                    double motion, std::size_t pairs, std::vector<PegOption>& out);

 private:
  enum class Wanted { parted, all };  // those that part the pair at the start, or all
  struct Failed {
    PairKey key = 0;
    SeparatingPlane plane;
  };

  void find(PegScene& scene, const PegChoice& choice, std::span<const double> change, Wanted wanted,
            double most, std::vector<PegOption>& out, double& own);
  void list_candidates(PegScene& scene, const PegChoice& choice, std::span<const double> change,
                       Wanted wanted, double most);
  void keep_cheapest(PegScene& scene, const PegChoice& choice, std::span<const double> change,
                     double most, std::vector<PegOption>& out, double& own);
  double least_motion(PegScene& scene, const Vec3& point, const Vec3& normal, double psi,
                      std::span<const double> change);
  double least_of_witness(PegScene& scene, const Vec3& normal, std::span<const double> change);
  bool make(PegScene& scene, const SeparatingPlane& plane, std::span<const double> change,
            PegOption& o);
  bool has_failed(PairKey key, const SeparatingPlane& plane) const;

  PlanePair start_view_;
  ConstraintRows probe_;
  BlockRows probe_block_;
  std::vector<double> rate_;
  ContactData patch_;
  std::vector<SeparatingPlane> planes_;
  std::vector<PegOption> candidates_, options_;
  std::vector<double> cheapest_;
  std::vector<Failed> failed_;
};

}  // namespace abut
