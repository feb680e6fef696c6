#include "abut/view/scene/looker.h"

#include <algorithm>
#include <cmath>

#include "abut/model/kinematics.h"
#include "abut/view/scene/scene.h"

namespace abut::view {

namespace {

// Limits for one picture: more items add no information and take long.
constexpr std::size_t kMostVolumes = 400, kMostFeatures = 800;
// Fraction of the friction bound. Friction this close to its bound slides: solvers stop at about
// 1e-6.
constexpr double kSlides = 1e-3;

Phase phase_of(const PairForce& pair, double friction, bool pressed_before) {
  const double normal = pair.normal_force();
  if (!(normal > 0)) return Phase::near;
  if (!pressed_before) return Phase::impact;
  const double bound = friction * normal;
  if (!(bound > 0)) return Phase::sliding;  // nothing holds it
  return pair.friction_force() > (1 - kSlides) * bound ? Phase::sliding : Phase::sticking;
}

}  // namespace

Looker::Looker(const Model& model, const Vec3& origin)
    : model_(model),
      origin_(origin),
      moving_(moving_bodies(model)),
      measure_(model),
      materials_(model),
      poses_(model) {}

Pose Looker::geom_pose(int g) const {
  const Geom& geom = model_.geoms[static_cast<std::size_t>(g)];
  return poses_.body_pose[static_cast<std::size_t>(geom.body)] * geom.pose;
}

void Looker::look(const State& state, const Input& input, const ContactForces* forces,
                  const Show& show, Frame& out) {
  positions(model_, state, input, poses_);
  out.time = state.time;
  out.poses.clear();
  for (const int b : moving_) {
    Pose pose = poses_.body_pose[static_cast<std::size_t>(b)];
    pose.p -= origin_;
    out.poses.push_back(pose);
  }
  if (show.measures) {
    sample_ = measure_.sample(state, input);
    out.numbers[Frame::kinetic] = sample_.energy.kinetic;
    out.numbers[Frame::potential] = sample_.energy.potential;
    out.numbers[Frame::deepest] = sample_.overlap.deepest;
    out.numbers[Frame::joint_error] = sample_.joint_error;
  }
  out.numbers[Frame::contact_force] = forces ? forces->total() : 0;
  out.pairs.clear(), out.points.clear(), out.features.clear();
  out.volumes.clear(), out.boxes.clear(), out.joints.clear(), out.velocities.clear();
  if (show.velocities) add_velocities(state, out);
  if (show.contacts && forces) add_pairs(*forces, out);
  if (show.features || show.volumes || show.boxes) add_geometry(show, out);
  if (show.joints) add_joints(state, input, out);
}

void Looker::add_velocities(const State& state, Frame& out) {
  velocities(model_, state, poses_);
  for (const int b : moving_) {
    const Body& body = model_.bodies[static_cast<std::size_t>(b)];
    Frame::Velocity v;
    if (body.link >= 0) {
      const Vec3& origin = poses_.body_pose[static_cast<std::size_t>(b)].p;
      const Spatial twist = twist_at(model_, poses_, body.link, origin);
      v.linear = twist.lin, v.angular = twist.ang;
    }
    out.velocities.push_back(v);
  }
}

void Looker::add_pairs(const ContactForces& forces, Frame& out) {
  pressing_.clear();
  for (const PairForce& pair : forces.pairs) {
    const PairKey key = pair_key(pair.geom_a, pair.geom_b);
    if (pair.normal_force() > 0) pressing_.push_back(key);
    const Material material = materials_.of(pair.geom_a, pair.geom_b);
    Frame::Pair p;
    p.geom_a = pair.geom_a, p.geom_b = pair.geom_b;
    p.normal = pair.normal, p.force = pair.force;
    p.point = pair.point - origin_;
    p.friction = material.condim == 1 ? 0 : material.friction;
    p.phase = phase_of(pair, p.friction, std::binary_search(pressed_.begin(), pressed_.end(), key));
    for (int i = pair.begin; i < pair.end; ++i) {
      const PointForce& point = forces.points[static_cast<std::size_t>(i)];
      out.points.push_back({point.position - origin_, point.force});
    }
    p.points_end = static_cast<int>(out.points.size());
    out.pairs.push_back(p);
  }
  std::sort(pressing_.begin(), pressing_.end());
  std::swap(pressed_, pressing_);
}

void Looker::add_geometry(const Show& show, Frame& out) {
  if (!collider_) collider_ = std::make_unique<Collider>(model_);
  const std::vector<double>& sizes = collider_->sizes();
  const double largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  CollideOptions options;
  options.reach.pair = 1e-4 * largest;
  options.max_points = 8;
  collider_->find(model_, poses_, ContactMemory{}, options, data_, queries_);
  std::size_t volumes = 0;
  for (const Patch& patch : data_.patches) {
    // points of merged parts have no features of one solid
    if (patch.of_field) continue;  // its solids are not to be looked at
    const bool has_parts = patch.part_a >= 0 || patch.part_b >= 0;
    if (show.features && !has_parts && out.features.size() < kMostFeatures) {
      add_features(patch, 0, out);
      add_features(patch, 1, out);
    }
    if (!show.volumes || !(patch.distance < 0) || ++volumes > kMostVolumes) continue;
    common_.triangles(collider_->solids()[patch.solid_a()], geom_pose(patch.geom_a),
                      collider_->solids()[patch.solid_b()], geom_pose(patch.geom_b),
                      [&](const Vec3& corner) { out.volumes.push_back(corner - origin_); });
  }
  if (!show.boxes) return;
  for (std::size_t g = 0; g < model_.geoms.size(); ++g) {
    if (model_.geoms[g].shape.kind == ShapeKind::plane) continue;
    const Aabb box = aabb(model_.geoms[g].shape, model_.assets, geom_pose(static_cast<int>(g)));
    if (box.min.allFinite() && box.max.allFinite())
      out.boxes.push_back({box.min - origin_, box.max - origin_});
  }
}

// The features that define the pair's points. Corners that all belong to one face, or to one edge,
// are shown as that face or edge: a box that stands touches with a face.
void Looker::add_features(const Patch& patch, int side, Frame& out) const {
  const int geom = side == 0 ? patch.geom_a : patch.geom_b;
  const Polyhedron* solid = collider_->solids()[geom].polyhedron;
  if (!solid) return;
  std::vector<Feature> features;
  std::vector<int> corners;
  for (int i = patch.begin; i < patch.end; ++i) {
    const std::uint64_t id = data_.points.id[static_cast<std::size_t>(i)];
    const Feature f = unpacked_feature(static_cast<std::int32_t>(side == 0 ? id >> 32 : id));
    if (std::find(features.begin(), features.end(), f) != features.end()) continue;
    features.push_back(f);
    if (f.kind == FeatureKind::vertex && f.index < solid->vertex_count())
      corners.push_back(f.index);
  }
  if (corners.size() == features.size() && corners.size() > 1) {
    for (int f = 0; f < solid->face_count(); ++f) {
      const auto loop = solid->face_loop(f);
      const auto on_it = [&](int v) {
        return std::find(loop.begin(), loop.end(), v) != loop.end();
      };
      if (corners.size() > 2 && std::all_of(corners.begin(), corners.end(), on_it))
        return add_feature(geom, {FeatureKind::face, f}, side, out);
    }
    for (int e = 0; e < solid->edge_count() && corners.size() == 2; ++e) {
      const Polyhedron::Edge& edge = solid->edges[static_cast<std::size_t>(e)];
      if (std::minmax(edge.tail, edge.head) == std::minmax(corners[0], corners[1]))
        return add_feature(geom, {FeatureKind::edge, e}, side, out);
    }
  }
  for (const Feature& f : features) add_feature(geom, f, side, out);
}

// A curved solid has no such feature; the contact points show the place.
void Looker::add_feature(int geom, const Feature& feature, int side, Frame& out) const {
  const Polyhedron* solid = collider_->solids()[geom].polyhedron;
  if (!solid || feature.index < 0) return;
  Frame::Feature f;
  f.side = side;
  const auto add = [&](int vertex) {
    f.points.push_back(geom_pose(geom) * solid->vertices[static_cast<std::size_t>(vertex)] -
                       origin_);
  };
  if (feature.kind == FeatureKind::vertex && feature.index < solid->vertex_count()) {
    add(feature.index);
  } else if (feature.kind == FeatureKind::edge && feature.index < solid->edge_count()) {
    add(solid->edges[static_cast<std::size_t>(feature.index)].tail);
    add(solid->edges[static_cast<std::size_t>(feature.index)].head);
  } else if (feature.kind == FeatureKind::face && feature.index < solid->face_count()) {
    for (const int v : solid->face_loop(feature.index)) add(v);
  }
  if (!f.points.empty()) out.features.push_back(std::move(f));
}

void Looker::add_joints(const State& state, const Input& input, Frame& out) {
  if (!equalities_) {
    equalities_ = std::make_unique<EqualityRows>(model_);
    rows_ = std::make_unique<ConstraintRows>(model_);
  }
  rows_->begin(poses_);
  equalities_->add(state, input, poses_, *rows_);
  const auto ids = equalities_->ids();
  const auto error = equalities_->error();
  const auto groups = rows_->groups();
  for (std::size_t g = 0; g < ids.size() && g < groups.size(); ++g) {
    const Equality& e = model_.equalities[static_cast<std::size_t>(ids[g])];
    if (e.type == EqualityType::joint || e.type == EqualityType::tendon) continue;
    double worst = 0;
    for (int k = 0; k < groups[g].size; ++k)
      worst = std::max(worst, std::abs(error[static_cast<std::size_t>(groups[g].row + k)]));
    const auto anchor = [&](int body, const Pose& frame) {
      return Vec3(poses_.body_pose[static_cast<std::size_t>(std::max(body, 0))] * frame.p -
                  origin_);
    };
    out.joints.push_back({anchor(e.first, e.frame_first), anchor(e.second, e.frame_second), worst});
  }
}

}  // namespace abut::view
