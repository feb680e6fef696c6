// Model: everything about a world that stays constant while it runs.
//
// It consists of flat arrays; ids are indices into them; body 0 is the world. Bodies are in
// depth-first order, so that a parent comes before its children. q and v have MuJoCo's layout
// (docs/notation.md).
//
//   abut::Model model = abut::load_model("worlds/pendulum.xml");
//   int tip = model.find_body("tip");       // -1 if there is none
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "abut/math/types.h"
#include "abut/model/measure.h"
#include "abut/model/sensor/sensor.h"
#include "abut/model/solid_numbers.h"
#include "abut/model/world.h"
#include "abut/shape/mass_properties.h"
#include "abut/shape/shape.h"

namespace abut {

struct Body {
  int parent = 0;
  int link = -1;   // link that it belongs to; -1: fixed to the world (or mocap)
  int mocap = -1;  // index of the driven pose in Input, or -1
  int depth = 0;
  int joint_begin = 0, joint_count = 0;
  int geom_begin = 0, geom_count = 0;
  int site_begin = 0, site_count = 0;
  int weld = 0;         // first body up the tree that is rigidly connected with it
  Pose pose;            // in the parent, at qpos0
  MassProperties mass;  // in the body frame
  double gravcomp = 0;
  Vec3 fluid_box = Vec3::Zero();       // full sides of the box with the same inertia (m)
  Mat3 fluid_axes = Mat3::Identity();  // axes of that box in the body frame
};

// A link is a body with joints, plus all bodies welded to it: the unit that moves.
struct Link {
  int body = 0;
  int parent = -1;  // link, -1: the world
  int tree = 0;
  int dof_begin = 0, dof_count = 0;
  MassProperties mass;                  // of all bodies welded to it, in the frame of `body`
  Mat3 inverse_inertia = Mat3::Zero();  // of mass.inertia
};

// Links and dofs of one tree are contiguous.
struct Tree {
  int link_begin = 0, link_count = 0;
  int dof_begin = 0, dof_count = 0;
  bool free_body = false;  // one link on one free joint, no armature, damping, friction
};

struct Joint {
  JointType type = JointType::hinge;
  int body = 0;
  int q = 0, dof = 0;              // first entries in q and v
  Vec3 pos = Vec3::Zero();         // anchor in the body frame
  Vec3 axis = Vec3::UnitZ();       // unit, in the body frame
  double ref = 0;                  // hinge and slide: qpos0
  Vec4 spring_ref = Vec4::Zero();  // hinge, slide: first; ball: quaternion wxyz
  std::array<double, 3> stiffness{};
  bool limited = false;
  Range range{0, 0};
  double margin = 0;
  bool force_limited = false;
  Range force_range{0, 0};  // bounds of the sum of the actuators' forces
  bool actuator_gravcomp = false;
};

struct Dof {
  int joint = 0, body = 0, link = 0;
  int parent = -1;  // previous dof on the way to the root, -1: none
  double armature = 0;
  std::array<double, 3> damping{};
  double frictionloss = 0;
};

struct Geom {
  int body = 0;
  Shape shape;
  Pose pose;  // in the body
  Vec3 friction{1, 0.005, 0.0001};
  int condim = 3, contype = 1, conaffinity = 1, priority = 0, group = 0;
  double margin = 0, gap = 0;
  double mass = 0;
  bool fluid_ellipsoid = false;
  std::array<double, 5> fluidcoef{};
  Vec3 fluid_semiaxes = Vec3::Zero();  // of the equivalent ellipsoid
  Pose fluid_pose;                     // its axes in the body; for a mesh, those of its inertia
  Vec4 rgba{0.5, 0.5, 0.5, 1};
};

struct Site {
  int body = 0;
  ShapeKind kind = ShapeKind::sphere;  // of the zone of a touch sensor
  Pose pose;
  Vec3 size = Vec3::Zero();
};

struct Tendon {
  int term_begin = 0, term_count = 0;  // into tendon_terms
  bool limited = false;
  Range range{0, 0};
  double margin = 0;
  std::array<double, 3> stiffness{}, damping{};
  Range spring_length{0, 0};
  double frictionloss = 0, armature = 0;
  bool force_limited = false;
  Range force_range{0, 0};
  bool simulated = true;
  bool for_joint = false;  // represents a joint, in maximal coordinates
};

struct TendonTerm {
  int joint = 0, q = 0, dof = 0;
  double coef = 0;
  int measure = -1;  // >= 0: this measure instead of the joint
};

struct Actuator {
  TransmissionType transmission = TransmissionType::joint;
  int target = 0;  // joint, tendon or site
  int refsite = -1;
  Vec6 gear = Vec6::Zero();
  Dynamics dynamics = Dynamics::none;
  Gain gain = Gain::fixed;
  Bias bias = Bias::none;
  std::array<double, 3> gainprm{}, biasprm{}, dynprm{};
  bool ctrl_limited = false, force_limited = false, act_limited = false;
  Range ctrl_range{0, 0}, force_range{0, 0}, act_range{0, 0};
  bool act_early = false;
  int act = -1;  // index into State::act
  int group = 0;
  bool enabled = true;
};

struct Equality {
  EqualityType type = EqualityType::connect;
  int first = 0, second = -1;  // bodies (0: the world), joints (-1: none) or tendons
  bool active = true;
  // connect: anchor in each body's frame; others: frame of the joint in each body, z its axis.
  Pose frame_first, frame_second;
  double torquescale = 1;
  std::array<double, 5> polycoef{0, 1, 0, 0, 0};
  double length = 0;                   // distance: m
  std::array<int, 2> teeth{1, 1};      // gear
  Quat rest_first = Quat::Identity();  // gear: of the frames at qpos0, in the world
  Quat rest_second = Quat::Identity();
};

struct ContactPair {  // an explicit pair of geoms
  int geom1 = 0, geom2 = 0;
  int condim = 3;
  std::array<double, 5> friction{};
  double margin = 0, gap = 0;
};

struct Keyframe {
  double time = 0;
  std::vector<double> q, v, act, ctrl, turn;
  std::vector<Pose> mocap;
};

struct NamedValue {
  std::vector<double> numbers;
  std::string text;
  Source source;
};

// Names of one kind of element: unique, found in constant time. An element without a name is called
// "body#3".
class NameTable {
 public:
  explicit NameTable(std::string_view kind = "thing") : kind_(kind) {}
  // Throws WorldError if the name is taken. An empty name means unnamed.
  int add(const std::string& name, const Source& where = {});
  int find(std::string_view name) const;  // -1: none
  std::string operator[](int id) const;   // never empty
  bool named(int id) const { return !names_[static_cast<std::size_t>(id)].empty(); }
  int size() const { return static_cast<int>(names_.size()); }
  // The nearest name, for "did you mean"; empty if none is near.
  std::string nearest(std::string_view name) const;
  const std::string& kind() const { return kind_; }

 private:
  std::string kind_;
  std::vector<std::string> names_;
  std::vector<Source> places_;
  std::unordered_map<std::string, int> index_;
};

struct Model {
  std::string name;
  Options option;

  std::vector<Body> bodies;
  std::vector<Link> links;
  std::vector<Tree> trees;
  std::vector<Joint> joints;
  std::vector<Dof> dofs;
  std::vector<Geom> geoms;
  std::vector<Site> sites;
  std::vector<JointMeasure> measures;
  std::vector<Tendon> tendons;
  std::vector<TendonTerm> tendon_terms;
  std::vector<Actuator> actuators;
  std::vector<Equality> equalities;
  std::vector<ContactPair> pairs;
  std::vector<std::array<int, 2>> excludes;  // bodies
  std::vector<Sensor> sensors;
  std::vector<Keyframe> keyframes;
  std::unordered_map<std::string, NamedValue> custom;  // abut.* settings by name
  std::vector<TupleDesc> tuples;
  ShapeAssets assets;
  SolidNumbers solids;  // of the geoms

  NameTable body_names{"body"}, joint_names{"joint"}, geom_names{"geom"}, site_names{"site"},
      measure_names{"coordinate"}, tendon_names{"tendon"}, actuator_names{"actuator"},
      equality_names{"equality"}, mesh_names{"mesh"}, hfield_names{"hfield"}, keyframe_names{"key"},
      sensor_names{"sensor"};

  int nq = 0, nv = 0, na = 0, nmocap = 0;
  int nsensordata = 0;  // numbers of all sensors
  std::vector<double> qpos0;

  // The mass matrix is stored by rows: row i holds, in ascending order, the dofs on
  // the way from the root to i, and i itself last.
  std::vector<int> M_row;  // nv + 1 starts
  std::vector<int> M_col;

  std::vector<Warning> warnings;

  int nbody() const { return static_cast<int>(bodies.size()); }
  int nu() const { return static_cast<int>(actuators.size()); }
  double mass() const;  // of all bodies, kg
  int find_body(std::string_view n) const { return body_names.find(n); }
  int find_joint(std::string_view n) const { return joint_names.find(n); }
  int find_geom(std::string_view n) const { return geom_names.find(n); }
  int find_site(std::string_view n) const { return site_names.find(n); }
  int find_sensor(std::string_view n) const { return sensor_names.find(n); }
  int find_actuator(std::string_view n) const { return actuator_names.find(n); }
  int find_keyframe(std::string_view n) const { return keyframe_names.find(n); }
};

// Checks the description and compiles it. Throws WorldError with place and reason.
Model compile(const World& world);

}  // namespace abut
