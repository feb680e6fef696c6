// Keyframes and custom data.
#include <fmt/format.h>

#include <algorithm>

#include "abut/model/compile/compile_draft.h"

namespace abut::compiling {
namespace {

// Empty: the default; otherwise exactly `size` numbers.
std::vector<double> sized(const Thing& thing, std::string_view field,
                          const std::vector<double>& given, std::size_t size,
                          std::vector<double> otherwise) {
  if (given.empty()) return otherwise;
  if (given.size() != size) {
    thing.fail(fmt::format("{} has {} numbers and this world needs {}", field, given.size(), size));
  }
  thing.numbers(field, given);
  return given;
}

// Normalises w x y z in place. Some robots have keyframes with a zero quaternion; as in MuJoCo it
// means no rotation.
void normalise(Model& model, const Thing& thing, std::string_view field, double* q) {
  Eigen::Map<Vec4> wxyz(q);
  const double length = wxyz.norm();
  if (length >= kTiny) {
    wxyz /= length;
    return;
  }
  wxyz = Vec4(1, 0, 0, 0);
  model.warnings.push_back(
      {thing.source(), fmt::format("{}: {} has a quaternion that is zero; taken as \"1 0 0 0\"",
                                   thing.label(), field)});
}

void normalise_quaternions(Model& model, const Thing& thing, std::vector<double>& q) {
  for (const Joint& joint : model.joints) {
    const auto first = static_cast<std::size_t>(joint.q);
    if (joint.type == JointType::free) normalise(model, thing, "qpos", &q[first + 3]);
    if (joint.type == JointType::ball) normalise(model, thing, "qpos", &q[first]);
  }
}

std::vector<Pose> mocap_poses(Model& model, const Thing& thing, const KeyframeDesc& d) {
  std::vector<double> p, q;
  for (const Body& body : model.bodies) {
    if (body.mocap < 0) continue;
    p.insert(p.end(), body.pose.p.begin(), body.pose.p.end());
    q.insert(q.end(), {body.pose.q.w(), body.pose.q.x(), body.pose.q.y(), body.pose.q.z()});
  }
  const auto count = static_cast<std::size_t>(model.nmocap);
  p = sized(thing, "mpos", d.mpos, 3 * count, p);
  q = sized(thing, "mquat", d.mquat, 4 * count, q);
  std::vector<Pose> poses(count);
  for (std::size_t i = 0; i < count; ++i) {
    normalise(model, thing, "mquat", &q[4 * i]);
    poses[i] = {{p[3 * i], p[3 * i + 1], p[3 * i + 2]},
                {q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]}};
  }
  return poses;
}

// An actuator that is not simulated may have activations, which are not counted here.
bool activations_unknown(const World& world) {
  return std::any_of(world.actuators.begin(), world.actuators.end(),
                     [](const ActuatorDesc& a) { return !a.simulated; });
}

const NameTable* table_of(const Model& model, std::string_view objtype) {
  for (const NameTable* names :
       {&model.body_names, &model.joint_names, &model.geom_names, &model.site_names,
        &model.tendon_names, &model.actuator_names, &model.equality_names, &model.mesh_names,
        &model.hfield_names, &model.keyframe_names}) {
    if (names->kind() == objtype) return names;
  }
  return objtype == "xbody" ? &model.body_names : nullptr;
}

}  // namespace

void make_keyframes(Draft& draft) {
  Model& model = draft.model;
  for (const KeyframeDesc& d : draft.world.keyframes) {
    const int id = model.keyframe_names.add(d.name, d.source);
    const Thing thing(model.keyframe_names, id, d.source);
    const auto nv = static_cast<std::size_t>(model.nv), na = static_cast<std::size_t>(model.na),
               nu = static_cast<std::size_t>(model.nu());
    Keyframe key;
    thing.number("time", d.time);
    key.time = d.time;
    key.q = sized(thing, "qpos", d.qpos, static_cast<std::size_t>(model.nq), model.qpos0);
    normalise_quaternions(model, thing, key.q);
    key.v = sized(thing, "qvel", d.qvel, nv, std::vector<double>(nv));
    if (d.act.size() != na && activations_unknown(draft.world)) {
      key.act.assign(na, 0);
    } else {
      key.act = sized(thing, "act", d.act, na, std::vector<double>(na));
    }
    key.ctrl = sized(thing, "ctrl", d.ctrl, nu, std::vector<double>(nu));
    key.turn = d.turn;
    key.mocap = mocap_poses(model, thing, d);
    model.keyframes.push_back(std::move(key));
  }
}

void make_custom(Draft& draft) {
  Model& model = draft.model;
  NameTable text_names("text"), numeric_names("numeric"), tuple_names("tuple");
  for (const TextDesc& d : draft.world.texts) {
    text_names.add(d.name, d.source);
    NamedValue& value = model.custom[d.name];
    value.text = d.data;
    value.source = d.source;
  }
  for (const NumericDesc& d : draft.world.numerics) {
    const int id = numeric_names.add(d.name, d.source);
    Thing(numeric_names, id, d.source).numbers("data", d.data);
    NamedValue& value = model.custom[d.name];
    value.numbers = d.data;
    value.source = d.source;
  }
  for (const TupleDesc& d : draft.world.tuples) {
    const int id = tuple_names.add(d.name, d.source);
    const Thing thing(tuple_names, id, d.source);
    for (const TupleDesc::Element& element : d.elements) {
      thing.number("prm", element.prm);
      const NameTable* names = table_of(model, element.objtype);
      if (names != nullptr) lookup(thing, *names, element.objname);
    }
    model.tuples.push_back(d);
  }
}

}  // namespace abut::compiling
