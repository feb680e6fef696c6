#include "abut/model/maximal.h"

#include <fmt/format.h>

#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"
#include "abut/model/state.h"

namespace abut {

namespace {

constexpr double kSquare = 1e-9;  // cosine of two axes, or sine, that counts as none

std::size_t at(int i) { return static_cast<std::size_t>(i); }

[[noreturn]] void refuse(const Source& where, const std::string& what) {
  throw WorldError(where, "abut.coordinates = maximal: " + what);
}

bool is_free(const BodyDesc& body) {
  return body.joints.size() == 1 && body.joints.front().type == JointType::free;
}

class Converter {
 public:
  Converter(const World& from, const Model& model) : from_(from), model_(model), to_(from) {}

  World convert() {
    check_relations();
    X_WB_.resize(model_.bodies.size());
    for (int b = 1; b < model_.nbody(); ++b)
      X_WB_[at(b)] = X_WB_[at(model_.bodies[at(b)].parent)] * model_.bodies[at(b)].pose;
    to_.worldbody.bodies.clear();
    place_children(from_.worldbody, to_.worldbody);
    translate_keyframes();
    return std::move(to_);
  }

 private:
  // What speaks of the coordinates of joints.
  void check_relations() const {
    for (const TendonDesc& t : from_.tendons)
      if (t.simulated)
        refuse(t.source, fmt::format("tendon '{}' adds up coordinates of joints", t.name));
    for (const EqualityDesc& e : from_.equalities)
      if (e.type == EqualityType::joint || e.type == EqualityType::tendon)
        refuse(e.source, fmt::format("equality '{}' couples coordinates of joints; a gear between "
                                     "bodies does the same",
                                     e.name));
    for (std::size_t i = 0; i < from_.actuators.size(); ++i) {
      const Actuator& a = model_.actuators[i];
      if (!from_.actuators[i].simulated || a.transmission == TransmissionType::site ||
          a.transmission == TransmissionType::none)
        continue;
      refuse(from_.actuators[i].source,
             fmt::format("actuator '{}' pulls on a joint; let it act at a site instead",
                         from_.actuators[i].name));
    }
  }

  void check_joint(const JointDesc& j, int id) const {
    const auto zero = [](const std::array<double, 3>& x) {
      return x[0] == 0 && x[1] == 0 && x[2] == 0;
    };
    const char* what = !zero(j.stiffness) || j.springdamper[0] > 0 ? "a spring"
                       : !zero(j.damping)                          ? "damping"
                       : j.armature > 0                            ? "armature"
                       : j.frictionloss > 0                        ? "frictionloss"
                       : model_.joints[at(id)].limited             ? "a limit"
                                                                   : nullptr;
    if (what != nullptr)
      refuse(j.source, fmt::format("joint '{}' has {}, which needs its coordinate",
                                   model_.joint_names[id], what));
  }

  // Bodies without joints stay where they are; those with joints stand in the world.
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
      check_joint(d.joints[at(j - body.joint_begin)], j);
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
    // what stays fixed in the body, and in its parent, as both stand at qpos0
    Pose in_body, in_parent;
    const auto frame = [](const Joint& j) { return Pose{j.pos, rotation_from_z(j.axis)}; };
    const std::size_t h = hinges.size(), s = slides.size(), b = balls.size();
    if (b == 1 && h + s == 0) {
      e.type = EqualityType::connect;
      e.anchor = body.pose * balls[0]->pos;
      to_.equalities.push_back(e);
      return;
    }
    if (b == 0 && h + s == 1) {
      e.type = h == 1 ? EqualityType::hinge : EqualityType::slide;
      in_body = in_parent = frame(h == 1 ? *hinges[0] : *slides[0]);
    } else if (b == 0 && h == 1 && s == 1 && crossed(hinges[0]->axis, slides[0]->axis) < kSquare) {
      e.type = EqualityType::cylindrical;
      in_body = in_parent = frame(*hinges[0]);
    } else if (b == 0 && h == 2 && s == 0 &&
               std::abs(hinges[0]->axis.dot(hinges[1]->axis)) < kSquare &&
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
  }

  static bool slides_span_plane(const std::vector<const Joint*>& slides, const Vec3& normal) {
    return std::abs(slides[0]->axis.dot(normal)) < kSquare &&
           std::abs(slides[1]->axis.dot(normal)) < kSquare &&
           slides[0]->axis.cross(slides[1]->axis).norm() > kSquare;
  }

  // As the filter has it for parent and child, which they are no longer.
  void exclude_links(int parent, int child) {
    const int above = model_.bodies[at(parent)].weld;
    if (above == 0 || model_.bodies[at(above)].mocap >= 0) return;
    for (int p = 1; p < model_.nbody(); ++p)
      for (int c = 1; c < model_.nbody(); ++c)
        if (model_.bodies[at(p)].weld == above && model_.bodies[at(c)].weld == child)
          to_.excludes.push_back({"", model_.body_names[p], model_.body_names[c], {}});
  }

  // Links are in the order of the bodies that are free now.
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
    }
  }

  const World& from_;
  const Model& model_;
  World to_;
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

World in_maximal_coordinates(const World& world, const Model& model) {
  return Converter(world, model).convert();
}

}  // namespace abut
