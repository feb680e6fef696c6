// The interface between penalty models and PenaltyForces (penalty_forces.h), which calls them.
//
// A penalty model is a *force law* of one pair: a struct with two functions, which are called for every
// pair in contact. PairLaws turns a law into a ForceModel, so that a stage of the integrator costs one
// virtual call, and the compiler sees the law inside the loop over pairs.
//
//   struct MyLaw {
//     static constexpr int kPairWidth = 1, kPointWidth = 0;  // doubles it remembers
//     // Forces at given poses and velocities. The function only reads the memory, because an
//     // integrator calls it in every stage. A pair without memory touches for the first time; its
//     // forces depend on poses and velocities only.
//     template <class Push>
//     void forces(const PairView& pair, const PairRecall& memory, Push&& push) {
//       push({.position = p, .force = f});
//     }
//     // Called once, at the start of a step. Writes the memory that the stages of this step read
//     // (`now`: anchors and phases at this time) and the memory that the next step reads (`after`:
//     // sums over steps, which include the depth at this time only once the step is over). Both hold
//     // the values of the last step when the function is called, and zeros for a new pair.
//     void advance(const PairView& pair, const PairRecall& before, PairKeep now, PairKeep after);
//   };
//
// A law that works on the vertices of the intersection clips pair.solid_a() with pair.solid_b() in its
// own buffers. Points with memory are those of the patch, or those that the law names in
// point_ids(pair, ids).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/collide/solid/convex.h"
#include "abut/constrain/rows/material.h"
#include "abut/contact/contact_force.h"
#include "abut/dynamics/jacobian.h"
#include "abut/model/contact_memory.h"
#include "abut/model/kinematics.h"

namespace abut {

// Motion of a body, driven ones included, named at p_W.
inline Spatial body_twist(const Model& model, const Input& input, const Derived& d, int body,
                          const Vec3& p_W) {
  const int link = model.bodies[static_cast<std::size_t>(body)].link;
  return link >= 0 ? twist_at(model, d, link, p_W) : driven_twist(model, input, d, body, p_W);
}

// For a pair that began in overlap (initial_overlap.h): the fraction of the depth on which springs act,
// and the fraction of their stored energy that this step has added.
struct Recovery {
  double part = 1, gained = 0;
};

// The world at a moment.
struct ForceScene {
  const Model& model;
  const ConvexSet& solids;
  const Materials& materials;
  const Input& input;
  const Derived& d;  // positions() and velocities()
  const ContactData& data;
  std::span<const Recovery> recovery = {};  // one a patch; none: all springs are whole
};

// A pair at a moment.
class PairView {
 public:
  PairView(const ForceScene& scene, int patch_index)
      : scene_(scene),
        patch(scene.data.patches[static_cast<std::size_t>(patch_index)]),
        index(patch_index),
        body_a(body_of(patch.geom_a)),
        body_b(body_of(patch.geom_b)) {}

  const ContactPoints& points() const { return scene_.data.points; }  // patch.begin to patch.end
  Material material() const { return scene_.materials.of(patch.geom_a, patch.geom_b); }
  const Convex& solid_a() const { return scene_.solids[patch.solid_a()]; }
  const Convex& solid_b() const { return scene_.solids[patch.solid_b()]; }
  Pose pose_a() const { return geom_pose(scene_.model, scene_.d, patch.geom_a); }  // X_WA
  Pose pose_b() const { return geom_pose(scene_.model, scene_.d, patch.geom_b); }

  // Springs act on so much of the depth.
  double part() const { return recovery().part; }
  Recovery recovery() const {
    return scene_.recovery.empty() ? Recovery() : scene_.recovery[static_cast<std::size_t>(index)];
  }

  // Motion of each body, driven ones included, named at p_W.
  Spatial twist_a(const Vec3& p_W) const { return twist(body_a, p_W); }
  Spatial twist_b(const Vec3& p_W) const { return twist(body_b, p_W); }
  // Of B's material point at p_W less A's: along the normal > 0 where they part.
  Vec3 velocity(const Vec3& p_W) const { return twist_b(p_W).lin - twist_a(p_W).lin; }

 private:
  int body_of(int geom) const { return scene_.model.geoms[static_cast<std::size_t>(geom)].body; }
  Spatial twist(int body, const Vec3& p_W) const {
    return body_twist(scene_.model, scene_.input, scene_.d, body, p_W);
  }
  const ForceScene& scene_;

 public:
  const Patch& patch;
  const int index;  // of the patch
  const int body_a, body_b;
};

// What is remembered of a pair.
struct PairRecall {
  const ContactMemory* memory = nullptr;  // null: nothing
  int pair = -1;                          // -1: touches for the first time

  bool known() const { return pair >= 0; }
  const PairMemory& header() const { return memory->pairs()[static_cast<std::size_t>(pair)]; }
  std::span<const double> values() const { return memory->pair_values(pair); }
  // Empty: the point is new.
  std::span<const double> point(std::uint64_t id) const {
    const int i = known() ? memory->find_point(pair, id) : -1;
    return i < 0 ? std::span<const double>() : memory->point_values(i);
  }
};

// Where it is written.
struct PairKeep {
  ContactMemory* memory = nullptr;
  int pair = 0;

  PairMemory& header() const { return memory->pairs()[static_cast<std::size_t>(pair)]; }
  std::span<double> values() const { return memory->pair_values(pair); }
  std::span<double> point(std::uint64_t id) const {
    const int i = memory->find_point(pair, id);
    return i < 0 ? std::span<double>() : memory->point_values(i);
  }
};

// Beside what a model remembers, the frame keeps of a pair what is left of an overlap that it began
// with (initial_overlap.h), and as the last value its account (pair_accounts.h); between them, in
// worlds with torsional or rolling friction, its turning (friction/turning.h).
inline constexpr int kFrameWidth = 2;

// Memory of another contact model has other widths: a model's must be its own alone.
// `pair_width`: with the frame's part.
inline PairRecall recall(const ContactMemory& memory, const Patch& patch, int pair_width,
                         int point_width) {
  if (memory.pair_width() != pair_width || memory.point_width() != point_width) return {};
  return {&memory, memory.find(patch.key())};
}

class ForceModel {
 public:
  virtual ~ForceModel() = default;
  virtual int pair_width() const = 0;
  virtual int point_width() const = 0;
  // What the frame keeps of a pair behind the model's own values; the frame sets it.
  int frame_width() const { return frame_width_; }
  void set_frame_width(int width) { frame_width_ = width; }
  // Appends to `out`, ascending by patch.
  virtual void forces(const ForceScene& scene, const ContactMemory& memory,
                      std::vector<ContactForce>& out) = 0;
  // The points of a patch that have memory, by id.
  virtual void point_ids(const ForceScene& scene, int patch, std::vector<std::uint64_t>& ids) = 0;
  // For each pair of `now`, which has that of `after`, in the order of the patches.
  virtual void advance(const ForceScene& scene, const ContactMemory& before, ContactMemory& now,
                       ContactMemory& after) = 0;
  // Forces that depend on all other forces: static friction, dampers of towers. hold() is called last,
  // after forces() for the same stage, if holds() is true. u, u_rate: velocities (m/s) and
  // accelerations of the bodies without these forces, in solver coordinates (solver_velocity.h).
  // wants_factor(): hold() needs the factors of the mass matrix.
  virtual bool holds() const { return false; }
  virtual bool wants_factor() const { return false; }
  virtual void hold(const ForceScene&, std::span<const double> /*u*/,
                    std::span<const double> /*u_rate*/, std::vector<ContactForce>& /*out*/) {}
  // Whether forces act on resting pairs only, and approaching pairs are stopped by impulses first
  // (contact_phases.h).
  virtual bool has_impacts() const { return false; }
  // Whether the model uses all points of a patch. If not, a patch has one point: where the two solids
  // are nearest, or deepest in each other.
  virtual bool wants_points() const { return true; }
  // Whether convex parts of one geom with the same normal are merged into one patch (collide.h). Models
  // that use the solids themselves need one patch for each part.
  virtual bool merges_parts() const { return false; }
  // The number of equal parts into which the step that begins with this memory is divided. The model
  // chooses its gains for the length of a part. parts(): the last choice.
  virtual int choose_parts(const ContactMemory&) { return 1; }
  virtual int parts() const { return 1; }
  // Whether no pair may return more energy than it has stored (pair_accounts.h). False where the user
  // chose the gains: then the forces are exactly those of the law.
  virtual bool keeps_accounts() const { return true; }
  // Whether springs act on PairView::part() of the depth.
  virtual bool recovers() const { return keeps_accounts(); }
  // The same for one pair, at the time of the last forces().
  virtual bool keeps_account(const Patch&) const { return true; }
  // Warnings about gains and step, one line each.
  virtual std::vector<std::string> warnings() const { return {}; }

 protected:
  // What is remembered of a pair of this model.
  PairRecall recall(const ContactMemory& memory, const Patch& patch) const {
    return abut::recall(memory, patch, pair_width() + frame_width_, point_width());
  }

 private:
  int frame_width_ = kFrameWidth;
};

template <class Law>
class PairLaws final : public ForceModel {
 public:
  explicit PairLaws(Law law) : law_(std::move(law)) {}

  int pair_width() const override { return Law::kPairWidth; }
  int point_width() const override { return Law::kPointWidth; }
  bool merges_parts() const override { return true; }

  void forces(const ForceScene& scene, const ContactMemory& memory,
              std::vector<ContactForce>& out) override {
    for (int p = 0; p < static_cast<int>(scene.data.patches.size()); ++p) {
      const PairView pair(scene, p);
      law_.forces(pair, recall(memory, pair.patch), [&](ContactForce f) {
        f.patch = p;
        out.push_back(f);
      });
    }
  }

  void point_ids(const ForceScene& scene, int patch, std::vector<std::uint64_t>& ids) override {
    ids.clear();
    if constexpr (requires(Law law, const PairView& p) { law.point_ids(p, ids); }) {
      law_.point_ids(PairView(scene, patch), ids);
    } else if constexpr (Law::kPointWidth > 0) {
      const Patch& p = scene.data.patches[static_cast<std::size_t>(patch)];
      ids.assign(scene.data.points.id.begin() + p.begin, scene.data.points.id.begin() + p.end);
    }
  }

  void advance(const ForceScene& scene, const ContactMemory& before, ContactMemory& now,
               ContactMemory& after) override {
    for (int p = 0; p < static_cast<int>(scene.data.patches.size()); ++p) {
      const PairView pair(scene, p);
      law_.advance(pair, recall(before, pair.patch), {&now, p}, {&after, p});
    }
  }

  bool keeps_accounts() const override {
    if constexpr (requires(const Law law) { law.keeps_accounts(); }) return law_.keeps_accounts();
    return true;
  }

  bool recovers() const override {
    if constexpr (requires(const Law law) { law.recovers(); }) return law_.recovers();
    return keeps_accounts();
  }

  std::vector<std::string> warnings() const override {
    if constexpr (requires(const Law law) { law.warnings(); }) return law_.warnings();
    return {};
  }

 private:
  Law law_;
};

}  // namespace abut
