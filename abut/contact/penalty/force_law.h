// The face that penalty models show to the frame (penalty_forces.h), and what they are given.
//
// A model is a *law* of one pair: a struct with two functions that are called for every pair whose
// solids are within its reach. PairLaws turns a law into a ForceModel, so that a stage costs one
// virtual call and the loop over pairs is the law's own code.
//
//   struct MyLaw {
//     static constexpr int kPairWidth = 1, kPointWidth = 0;  // doubles it remembers
//     // Forces at given poses and velocities. Reads memory, writes none: stages of an
//     // integrator may ask as often as they like. A pair that is not known yet touches for the
//     // first time, and its forces follow from the poses alone.
//     template <class Push>
//     void forces(const PairView& pair, const PairRecall& memory, Push&& push) {
//       push({.position = p, .force = f});
//     }
//     // Once a step, at its start: what the stages of this step will read (`now`: anchors and
//     // phase by the data of this moment) and what the next step finds (`after`: sums over
//     // steps, which must not see this moment's depth before the step is over). Both come as
//     // they were at the end of the last step, zeros for a pair that is new.
//     void advance(const PairView& pair, const PairRecall& before, PairKeep now, PairKeep after);
//   };
//
// Laws that work on vertices of the intersection clip pair.solid_a(), solid_b() in buffers of
// their own, and name the points they remember by point_ids(pair, ids) (else: those of the patch).
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

// Of a pair that began in overlap (initial_overlap.h): the part of the depth that springs act on,
// and the part of what they now store that this step has added to it.
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
  // Forces that depend on all others, and are asked for last, if holds() says that there are any:
  // what holds still that would slide, what damps a tower. u, u_rate: velocities (m/s) and
  // accelerations of the movers without them, as solvers speak them. For the moment that forces()
  // was asked for. wants_factor(): factor() has to be ready.
  virtual bool holds() const { return false; }
  virtual bool wants_factor() const { return false; }
  virtual void hold(const ForceScene&, std::span<const double> /*u*/,
                    std::span<const double> /*u_rate*/, std::vector<ContactForce>& /*out*/) {}
  // Forces are for those that rest: who meets is stopped by impulses before (contact_phases.h).
  virtual bool has_impacts() const { return false; }
  // Whether it looks at all points of a patch; else those are the witnesses of the distance alone.
  virtual bool wants_points() const { return true; }
  // Whether parts of a geom that push the same way are one patch to it (collide.h); a model that looks
  // at the solids has each by itself.
  virtual bool merges_parts() const { return false; }
  // In how many parts the step that begins with this memory is to be taken, each a step of its own;
  // the model fits its gains to them. parts(): what was chosen last.
  virtual int choose_parts(const ContactMemory&) { return 1; }
  virtual int parts() const { return 1; }
  // Whether no pair may give more energy than it has taken (pair_accounts.h). Not where somebody
  // chose the gains: those do what their laws say.
  virtual bool keeps_accounts() const { return true; }
  // Whether springs act on PairView::part() of the depth.
  virtual bool recovers() const { return keeps_accounts(); }
  // The same of a pair, for the moment that forces() was asked for.
  virtual bool keeps_account(const Patch&) const { return true; }
  // What a user should know of the gains and the step; a line each.
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
