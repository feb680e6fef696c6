#include "abut/model/maximal.h"

#include <fmt/format.h>

#include <numbers>

#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"
#include "abut/model/maximal_joints.h"
#include "abut/model/state.h"
#include "abut/model/tolerances.h"

namespace abut {

namespace {

// Rotates x to z: a rotation that takes z to a direction, times this, takes x to that direction.
const Quat kXToZ(Eigen::AngleAxisd(-std::numbers::pi / 2, Vec3::UnitY()));

[[noreturn]] void refuse(const Source& where, const std::string& what) {
  throw WorldError(where, "abut.coordinates = maximal: " + what);
}

bool is_free(const BodyDesc& body) {
  return body.joints.size() == 1 && body.joints.front().type == JointType::free;
}

MeasureDesc measured(MeasureKind kind, const Pose& frame, const Pose& other, double scale = 1) {
  MeasureDesc m;
  m.kind = kind;
  m.frame = frame;
  m.other = other;
  m.scale = scale;
  return m;
}

class Converter {
 public:
  Converter(const World& from, const Model& model)
      : from_(from), model_(model), to_(from), joints_(from, model, to_) {}

  World convert() {
    X_WB_.resize(model_.bodies.size());
    for (int b = 1; b < model_.nbody(); ++b)
      X_WB_[at(b)] = X_WB_[at(model_.bodies[at(b)].parent)] * model_.bodies[at(b)].pose;
    to_.worldbody.bodies.clear();
    place_children(from_.worldbody, to_.worldbody);
    joints_.finish();
    translate_keyframes();
    return std::move(to_);
  }

 private:
  // Bodies without joints remain children of their parents; bodies with joints become children of
  // the world.
  void place_children(const BodyDesc& from, BodyDesc& into) {
    for (const BodyDesc& child : from.bodies) {
      const int id = next_++;
      BodyDesc copy = child;
      copy.bodies.clear();
      copy.name = model_.body_names[id];
      const bool moves = !child.joints.empty();
      if (moves && !is_free(child)) {
        copy.pose = X_WB_[at(id)];
        add_joint(child, id);
        copy.joints.clear();
        copy.free().align = false;
      }
      BodyDesc& placed = (moves ? to_.worldbody : into).bodies.emplace_back(std::move(copy));
      place_children(child, placed);
    }
  }

  void add_joint(const BodyDesc& d, int id) {
    const Body& body = model_.bodies[at(id)];
    if (from_.option.filter_parent) exclude_links(body.parent, id);
    std::vector<const Joint*> hinges, slides, balls;
    for (int j = body.joint_begin; j < body.joint_begin + body.joint_count; ++j) {
      const Joint& joint = model_.joints[at(j)];
      (joint.type == JointType::hinge   ? hinges
       : joint.type == JointType::slide ? slides
                                        : balls)
          .push_back(&joint);
    }
    EqualityDesc e;
    e.first = model_.body_names[body.parent];
    e.second = model_.body_names[id];
    e.source = d.source;
    if (model_.joint_names.named(body.joint_begin)) e.name = model_.joint_names[body.joint_begin];
    const auto crossed = [](const Vec3& a, const Vec3& b) { return a.cross(b).norm(); };
    // the axes that are fixed in the body, and in its parent, at qpos0
    Pose in_body, in_parent;
    const auto frame = [](const Joint& j) { return Pose{j.pos, rotation_from_z(j.axis)}; };
    const std::size_t h = hinges.size(), s = slides.size(), b = balls.size();
    if (b == 1 && h + s == 0) {
      e.type = EqualityType::connect;
      e.anchor = body.pose * balls[0]->pos;
      to_.equalities.push_back(e);
      const Pose anchor{balls[0]->pos, Quat::Identity()};
      place(d, id, *balls[0], measured(MeasureKind::spin, body.pose * anchor, anchor));
      return;
    }
    if (b == 0 && h + s == 1) {
      e.type = h == 1 ? EqualityType::hinge : EqualityType::slide;
      in_body = in_parent = frame(h == 1 ? *hinges[0] : *slides[0]);
    } else if (b == 0 && h == 1 && s == 1 &&
               crossed(hinges[0]->axis, slides[0]->axis) < kSquareAxes) {
      e.type = EqualityType::cylindrical;
      in_body = in_parent = frame(*hinges[0]);
    } else if (b == 0 && h == 2 && s == 0 &&
               std::abs(hinges[0]->axis.dot(hinges[1]->axis)) < kSquareAxes &&
               (hinges[0]->pos - hinges[1]->pos).norm() == 0) {
      e.type = EqualityType::universal;
      in_parent = frame(*hinges[0]);
      in_body = frame(*hinges[1]);
    } else if (b == 0 && h == 1 && s == 2 && slides_span_plane(slides, hinges[0]->axis)) {
      e.type = EqualityType::planar;
      in_body = in_parent = frame(*hinges[0]);
    } else {
      refuse(d.source,
             fmt::format("the {} joints of body '{}' are no hinge, slide, ball, "
                         "cylindrical, universal or planar joint; put bodies between them",
                         body.joint_count, model_.body_names[id]));
    }
    e.frame_first = body.pose * in_parent;
    e.frame_second = in_body;
    to_.equalities.push_back(e);
    if (e.type == EqualityType::universal) {
      measure_universal(d, id, *hinges[0], *hinges[1]);
    } else {
      for (const Joint* j : hinges) {
        const Pose z = frame(*j);
        place(d, id, *j, measured(MeasureKind::turn, body.pose * z, z));
      }
      measure_slides(d, id, slides, in_body.p, hinges.empty() ? nullptr : hinges[0]);
    }
  }

  void place(const BodyDesc& d, int id, const Joint& joint, MeasureDesc m, bool swapped = false) {
    const Body& body = model_.bodies[at(id)];
    const int j = static_cast<int>(&joint - model_.joints.data());
    m.first = model_.body_names[swapped ? id : body.parent];
    m.second = model_.body_names[swapped ? body.parent : id];
    joints_.place(j, d.joints[at(j - body.joint_begin)].source, std::move(m));
  }

  // The first axis is fixed in the parent, the second in the body, and they remain perpendicular:
  // the angle about one axis is the angle of the other axis.
  void measure_universal(const BodyDesc& d, int id, const Joint& first, const Joint& second) {
    const Pose& X = model_.bodies[at(id)].pose;
    const auto axes = [](const Vec3& z, const Vec3& x) {
      Mat3 R;
      R << x, z.cross(x), z;
      return Quat(R);
    };
    const Pose one{first.pos, axes(first.axis, second.axis)};
    const Pose two{second.pos, axes(second.axis, first.axis)};
    const auto along_x = [](const Vec3& x) { return rotation_from_z(x) * kXToZ; };
    place(d, id, first, measured(MeasureKind::turn, X * one, {first.pos, along_x(second.axis)}));
    place(d, id, second,
          measured(MeasureKind::turn, two, X * Pose{second.pos, along_x(first.axis)}, -1), true);
  }

  // Slides before a hinge are fixed in the parent; slides after it rotate with the body. If two
  // slides are not perpendicular, each is measured along the direction in which the other does not
  // move.
  void measure_slides(const BodyDesc& d, int id, const std::vector<const Joint*>& slides,
                      const Vec3& point, const Joint* hinge) {
    if (slides.size() == 2 && (slides[0] < hinge) != (slides[1] < hinge))
      refuse(d.source, fmt::format("body '{}' has a hinge between its slides; put it first or last",
                                   model_.body_names[id]));
    const Pose& X = model_.bodies[at(id)].pose;
    for (std::size_t k = 0; k < slides.size(); ++k) {
      Vec3 c = slides[k]->axis;
      if (slides.size() == 2) {
        const Vec3 other = slides[1 - k]->axis;
        c -= c.dot(other) * other;
        c /= c.dot(slides[k]->axis);
      }
      const double scale = c.norm();
      const Pose along{point, rotation_from_z(c)};
      const Pose at_point{point, Quat::Identity()};
      if (hinge != nullptr && slides[k] > hinge)
        place(d, id, *slides[k], measured(MeasureKind::shift, along, X * at_point, -scale), true);
      else
        place(d, id, *slides[k], measured(MeasureKind::shift, X * along, at_point, scale));
    }
  }

  static bool slides_span_plane(const std::vector<const Joint*>& slides, const Vec3& normal) {
    return std::abs(slides[0]->axis.dot(normal)) < kSquareAxes &&
           std::abs(slides[1]->axis.dot(normal)) < kSquareAxes &&
           slides[0]->axis.cross(slides[1]->axis).norm() > kSquareAxes;
  }

  // As the collision filter does for parent and child, because the bodies no longer are parent and
  // child.
  void exclude_links(int parent, int child) {
    const int above = model_.bodies[at(parent)].weld;
    if (above == 0 || model_.bodies[at(above)].mocap >= 0) return;
    for (int p = 1; p < model_.nbody(); ++p)
      for (int c = 1; c < model_.nbody(); ++c)
        if (model_.bodies[at(p)].weld == above && model_.bodies[at(c)].weld == child)
          to_.excludes.push_back({"", model_.body_names[p], model_.body_names[c], {}});
  }

  // Links have the order of the bodies, which are free now.
  void translate_keyframes() {
    State state(model_);
    Input input(model_);
    Derived d(model_);
    for (std::size_t k = 0; k < to_.keyframes.size(); ++k) {
      set_keyframe(model_, static_cast<int>(k), state, &input);
      positions(model_, state, input, d);
      velocities(model_, state, d);
      std::vector<double>&q = to_.keyframes[k].qpos, &v = to_.keyframes[k].qvel;
      q.clear();
      v.clear();
      for (std::size_t l = 0; l < model_.links.size(); ++l) {
        const Pose& X = d.body_pose[at(model_.links[l].body)];
        const Spatial t = twist_at(model_, d, static_cast<int>(l), X.p);
        const Vec3 w = X.q.conjugate() * t.ang;
        q.insert(q.end(), {X.p.x(), X.p.y(), X.p.z(), X.q.w(), X.q.x(), X.q.y(), X.q.z()});
        v.insert(v.end(), {t.lin.x(), t.lin.y(), t.lin.z(), w.x(), w.y(), w.z()});
      }
      to_.keyframes[k].turn = joints_.turns(state);
    }
  }

  const World& from_;
  const Model& model_;
  World to_;
  MaximalJoints joints_;
  std::vector<Pose> X_WB_;
  int next_ = 1;
};

}  // namespace

bool wants_maximal(const World& world) {
  for (const TextDesc& t : world.texts) {
    if (t.name != "abut.coordinates") continue;
    if (t.data == "maximal") return true;
    if (t.data != "generalized")
      throw WorldError(t.source, fmt::format("abut.coordinates: '{}'; there are generalized, "
                                             "maximal",
                                             t.data));
  }
  return false;
}

void ask_for_coordinates(World& world, const std::string& name) {
  std::erase_if(world.texts, [](const TextDesc& t) { return t.name == "abut.coordinates"; });
  world.texts.push_back({"abut.coordinates", name, {}});
  wants_maximal(world);
}

World in_maximal_coordinates(const World& world, const Model& model) {
  return Converter(world, model).convert();
}

}  // namespace abut
