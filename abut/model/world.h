// World: the description that a Model is compiled from.
//
// A file loader fills one; a program can fill one in as few lines as the file has:
//
//   abut::World world;
//   auto& arm = world.body("arm", {0, 0, 1});
//   arm.hinge("shoulder", {0, 1, 0}).damping[0] = 0.1;
//   arm.capsule({0, 0, 0}, {0.4, 0, 0}, 0.03);
//   auto& ball = world.body("ball", {0, 1, 1});
//   ball.free();
//   ball.sphere(0.05).density = 500;
//   abut::Model model = abut::compile(world);
//
// Fields have the meaning of the MJCF attributes of the same name; lengths are in metres, angles in
// radians, masses in kilograms. A field that MJCF calls "auto" is an empty optional. References to
// other elements are by name; compile() resolves them.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "abut/math/types.h"
#include "abut/shape/kind.h"

namespace abut {

// Place of an element in a file; line 0: made in code.
struct Source {
  std::shared_ptr<const std::string> file;
  int line = 0;
};

// Bad input, with its place and what to write instead.
class WorldError : public std::runtime_error {
 public:
  WorldError(const Source& where, const std::string& message);
  explicit WorldError(const std::string& message) : WorldError(Source{}, message) {}
};

// "file:line", "file" or "", as far as known.
std::string to_string(const Source& where);

using Range = std::array<double, 2>;

enum class JointType : std::uint8_t { free, ball, slide, hinge };

struct JointDesc {
  std::string name;
  JointType type = JointType::hinge;
  Vec3 pos = Vec3::Zero();            // anchor in the body frame
  Vec3 axis = Vec3::UnitZ();          // in the body frame, any length but zero
  double ref = 0;                     // value of q at the position in the file
  double springref = 0;               // value of q where the spring is at rest
  std::array<double, 3> stiffness{};  // force = -(a x + b x^2 + c x^3)   [N/m or N m/rad ..]
  std::array<double, 3> damping{};    // force = -(a v + b v|v| + c v^3)
  Range springdamper{0, 0};     // time constant (s), damping ratio; both > 0 override the two above
  double armature = 0;          // added to the diagonal of M [kg or kg m^2]
  double frictionloss = 0;      // bound of dry friction [N or N m]
  std::optional<bool> limited;  // empty: limited if a range is given (autolimits)
  Range range{0, 0};
  double margin = 0;
  std::optional<bool> actuatorfrclimited;
  Range actuatorfrcrange{0, 0};
  bool actuatorgravcomp = false;
  int group = 0;
  std::optional<bool> align;  // free joint whose frame moves to the inertia's; empty: align_free
  Source source;
};

struct GeomDesc {
  std::string name;
  ShapeKind type = ShapeKind::sphere;
  Vec3 size = Vec3::Zero();  // see ShapeKind
  int size_count = 0;        // number of sizes given
  Pose pose;                 // in the body frame
  // capsule, cylinder, box, ellipsoid between two points
  std::optional<std::array<double, 6>> fromto;
  std::optional<double> mass;
  double density = 1000;            // kg/m^3; per m^2 with shell
  bool shell = false;               // mass on the surface only
  Vec3 friction{1, 0.005, 0.0001};  // sliding, torsional (m), rolling (m)
  int condim = 3;
  int contype = 1, conaffinity = 1;
  int priority = 0, group = 0;
  double margin = 0, gap = 0, solmix = 1;
  std::vector<double> solref, solimp;  // stored, not used
  std::string mesh, hfield, material;
  double fitscale = 1;  // for a primitive fitted to a mesh
  bool fluid_ellipsoid = false;
  std::array<double, 5> fluidcoef{0.5, 0.25, 1.5, 1.0, 1.0};
  Vec4 rgba{0.5, 0.5, 0.5, 1};
  Source source;
};

struct SiteDesc {
  std::string name;
  ShapeKind type = ShapeKind::sphere;
  Vec3 size{0.005, 0.005, 0.005};
  Pose pose;
  std::optional<std::array<double, 6>> fromto;
  Vec4 rgba{0.5, 0.5, 0.5, 1};
  int group = 0;
  Source source;
};

struct InertialDesc {
  double mass = 0;
  Pose pose;                                         // of the inertia's axes in the body frame
  Vec3 diaginertia = Vec3::Zero();                   // about the centre of mass
  std::optional<std::array<double, 6>> fullinertia;  // xx yy zz xy xz yz, in axes of the body frame
  Source source;
};

struct BodyDesc {
  std::string name;
  Pose pose;  // in the parent's frame
  bool mocap = false;
  double gravcomp = 0;  // fraction of its weight that is compensated
  std::optional<InertialDesc> inertial;
  std::deque<JointDesc> joints;  // deques: the references returned below stay valid
  std::deque<GeomDesc> geoms;
  std::deque<SiteDesc> sites;
  std::deque<BodyDesc> bodies;
  Source source;

  // building in code ------------------------------------------------------------
  BodyDesc& body(std::string child, const Vec3& position = Vec3::Zero(),
                 const Quat& orientation = Quat::Identity());
  JointDesc& free(std::string joint = {});
  JointDesc& ball(std::string joint, const Vec3& anchor = Vec3::Zero());
  JointDesc& hinge(std::string joint, const Vec3& axis, const Vec3& anchor = Vec3::Zero());
  JointDesc& slide(std::string joint, const Vec3& axis);
  GeomDesc& geom(ShapeKind kind, const Vec3& size, const Pose& pose = {});
  GeomDesc& sphere(double radius, const Vec3& centre = Vec3::Zero());
  GeomDesc& box(const Vec3& half_extents, const Pose& pose = {});
  GeomDesc& capsule(const Vec3& from, const Vec3& to, double radius);
  GeomDesc& cylinder(const Vec3& from, const Vec3& to, double radius);
  GeomDesc& plane(const Pose& pose = {});
  GeomDesc& mesh(std::string asset, const Pose& pose = {});
  SiteDesc& site(std::string name, const Pose& pose = {});
};

enum class MeshInertia : std::uint8_t { convex, exact, legacy, shell };

// Vertices and faces as read from the file or written inline; compile() applies refpos/refquat,
// then scale, as MJCF does.
struct MeshDesc {
  std::string name;
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> faces;  // none: the convex hull is the mesh
  Vec3 scale = Vec3::Ones();
  Vec3 refpos = Vec3::Zero();
  Quat refquat = Quat::Identity();
  MeshInertia inertia = MeshInertia::legacy;
  int maxhullvert = -1;
  Source source;
};

struct HfieldDesc {
  std::string name;
  int rows = 0, cols = 0;
  std::array<double, 4> size{};   // half x, half y, top, bottom (m)
  std::vector<double> elevation;  // row major; normalised to 0..1 by compile()
  Source source;
};

struct PairDesc {
  std::string name, geom1, geom2;
  std::optional<int> condim;
  std::vector<double> friction;  // up to five; empty: from the geoms
  std::optional<double> margin, gap;
  Source source;
};

struct ExcludeDesc {
  std::string name, body1, body2;
  Source source;
};

// MJCF's four, and joints that close loops (constrain/rows/loop_joint.h).
enum class EqualityType : std::uint8_t {
  connect,
  weld,
  joint,
  tendon,
  hinge,
  slide,
  cylindrical,
  universal,
  planar,
  distance,
  gear
};

struct EqualityDesc {
  std::string name;
  EqualityType type = EqualityType::connect;
  std::string first, second;  // bodies, sites, joints or tendons; second may be empty
  bool by_site = false;       // connect and weld: first and second are sites
  bool active = true;
  Vec3 anchor = Vec3::Zero();
  bool has_anchor = false;
  std::optional<Pose> relpose;  // weld: pose of the second in the first; empty: as at qpos0
  double torquescale = 1;
  std::array<double, 5> polycoef{0, 1, 0, 0, 0};
  // hinge and the types after it, between bodies: frames in each, whose z is the axis. Empty: at
  // `anchor` of the first with this axis, and the second as at qpos0.
  std::optional<Pose> frame_first, frame_second;
  Vec3 axis = Vec3::UnitZ();       // in the first body, any length but zero
  double length = 0;               // distance: m; 0: as at qpos0
  std::array<int, 2> teeth{1, 1};  // gear: of each wheel; negative: an inner ring
  Source source;
};

enum class MeasureKind : std::uint8_t { turn, shift, angle, spin };

// A coordinate between two bodies (model/measure.h). Files do not contain measures: maximal
// coordinates create them in place of the joint of the same name.
struct MeasureDesc {
  std::string name;
  MeasureKind kind = MeasureKind::turn;
  std::string first, second;  // bodies
  Pose frame, other;
  Vec3 axis = Vec3::UnitX();
  bool axis_in_first = false;
  double scale = 1, offset = 0;
};

struct TendonDesc {  // length = sum of coef * q of the joints
  std::string name;
  std::vector<std::string> joints;  // joints or measures
  std::vector<double> coef;
  std::optional<bool> limited;
  Range range{0, 0};
  double margin = 0;
  std::array<double, 3> stiffness{}, damping{};
  Range springlength{-1, -1};  // dead band; (-1, -1): the length at qpos0
  double frictionloss = 0;
  double armature = 0;
  std::optional<bool> actuatorfrclimited;
  Range actuatorfrcrange{0, 0};
  bool simulated = true;  // false: a spatial tendon, kept for its name only
  // It represents a joint: its damping is implicit like a joint's, it has armature, and
  // actuatorfrcrange bounds the sum of the actuators' forces after their gears.
  bool for_joint = false;
  Source source;
};

enum class TransmissionType : std::uint8_t { joint, joint_in_parent, tendon, site, none };
enum class Dynamics : std::uint8_t { none, integrator, filter, filterexact };
enum class Gain : std::uint8_t { fixed, affine };
enum class Bias : std::uint8_t { none, affine };

// force = gain(l, l') * input + bias(l, l'); input = ctrl, or act where there are dynamics.
struct ActuatorDesc {
  std::string name;
  TransmissionType transmission = TransmissionType::joint;
  std::string target;  // joint, tendon or site
  std::string refsite;
  Vec6 gear = (Vec6() << 1, 0, 0, 0, 0, 0).finished();
  Dynamics dynamics = Dynamics::none;
  Gain gain = Gain::fixed;
  Bias bias = Bias::none;
  std::array<double, 3> gainprm{1, 0, 0}, biasprm{0, 0, 0}, dynprm{1, 0, 0};
  std::optional<bool> ctrllimited, forcelimited, actlimited;
  Range ctrlrange{0, 0}, forcerange{0, 0}, actrange{0, 0};
  bool actearly = false;
  double damping_ratio = 0;  // position servos: > 0 sets biasprm[2] from the inertia at qpos0
  double inheritrange = 0;   // > 0: ctrlrange (or actrange) from the target's range
  bool inherit_act = false;  // ... into actrange (intvelocity)
  int group = 0;
  bool simulated = true;  // false: counted in nu, makes no force (with a warning)
  Source source;
};

struct SensorDesc {  // by MJCF's names; see sensor.h
  std::string name, type, objtype, object, reftype, reference;
  double cutoff = 0, noise = 0;
  Source source;
};

struct KeyframeDesc {
  std::string name;
  double time = 0;
  std::vector<double> qpos, qvel, act, ctrl, mpos, mquat;  // empty: the default
  std::vector<double> turn;                                // of measures
  Source source;
};

struct TextDesc {
  std::string name, data;
  Source source;
};
struct NumericDesc {
  std::string name;
  std::vector<double> data;
  Source source;
};
struct TupleDesc {
  struct Element {
    std::string objtype, objname;
    double prm = 0;
  };
  std::string name;
  std::vector<Element> elements;
  Source source;
};

enum class Integrator : std::uint8_t { euler, implicit, explicit_euler, rk4 };

struct Options {
  double timestep = 0.002;  // s; the loader replaces it by the file's value
  Vec3 gravity{0, 0, -9.81};
  Vec3 wind = Vec3::Zero();   // m/s
  Vec3 magnetic{0, -0.5, 0};  // what magnetometers measure, world axes
  double density = 0;         // of the medium, kg/m^3
  double viscosity = 0;       // Pa s
  Integrator integrator = Integrator::euler;
  bool gravity_on = true, spring_on = true, damper_on = true, actuation_on = true;
  bool clamp_ctrl = true, contact_on = true, constraint_on = true, equality_on = true;
  bool limit_on = true, frictionloss_on = true, filter_parent = true;
  bool euler_damp = true;                      // euler treats joint damping implicitly
  std::uint32_t disabled_actuator_groups = 0;  // bit g: group g makes no force
};

enum class InertiaFromGeom : std::uint8_t { no, yes, automatic };

// The settings of MJCF's <compiler> that compile() uses. The loader has already resolved angles,
// orientations and file paths.
struct CompilerSettings {
  InertiaFromGeom inertia_from_geom = InertiaFromGeom::automatic;
  std::array<int, 2> inertia_group_range{0, 5};
  double bound_mass = 0, bound_inertia = 0;
  double set_total_mass = -1;
  bool balance_inertia = false;
  bool autolimits = true;
  bool align_free = false;
  bool fit_aabb = false;  // fit primitives to a mesh's box, not to its inertia
};

// Reported once each while loading: defined by the format, not simulated by abut.
struct Warning {
  Source source;
  std::string text;
};

struct World {
  std::string name = "world";
  Options option;
  Source option_source;
  CompilerSettings compiler;
  BodyDesc worldbody;
  std::deque<MeshDesc> meshes;
  std::deque<HfieldDesc> hfields;
  std::deque<PairDesc> pairs;
  std::deque<ExcludeDesc> excludes;
  std::deque<EqualityDesc> equalities;
  std::deque<MeasureDesc> measures;
  std::deque<TendonDesc> tendons;
  std::deque<ActuatorDesc> actuators;
  std::deque<SensorDesc> sensors;
  std::deque<KeyframeDesc> keyframes;
  std::deque<TextDesc> texts;
  std::deque<NumericDesc> numerics;
  std::deque<TupleDesc> tuples;
  std::vector<Warning> warnings;

  BodyDesc& body(std::string child, const Vec3& position = Vec3::Zero(),
                 const Quat& orientation = Quat::Identity());
  ActuatorDesc& motor(std::string name, std::string joint, double gear = 1);
  ActuatorDesc& position(std::string name, std::string joint, double kp, double kv = 0);
  ActuatorDesc& velocity(std::string name, std::string joint, double kv);
};

}  // namespace abut
