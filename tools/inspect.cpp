// abut inspect: what was loaded.
#include <fmt/format.h>

#include "abut/collide/collide.h"
#include "abut/dynamics/bias.h"
#include "abut/dynamics/forward.h"
#include "abut/dynamics/integrate.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/model/type_names.h"
#include "abut/shape/field/mesh_field.h"
#include "abut/simulate/exclude_lines.h"
#include "commands.h"
#include "common.h"
#include "warnings.h"

namespace abut::tool {

namespace {

struct InspectArguments {
  std::string world, q, v, ctrl, keyframe;
  LoadOptions load;
  bool json = false, quiet = false;
};

std::string joints_of(const Model& model, const Body& body) {
  std::vector<std::string> names;
  for (int j = body.joint_begin; j < body.joint_begin + body.joint_count; ++j)
    names.push_back(fmt::format("{} {}", type_name(model.joints[j].type), model.joint_names[j]));
  return join(names);
}

void print_table(const Model& model, const Derived& d) {
  print_safe(
      "{}: {} bodies, {} joints, {} dofs (nq {}, nv {}), {} geoms, {} actuators, {} tendons, "
      "{} loops, mass {:.6g} kg\n",
      model.name, model.nbody() - 1, model.joints.size(), model.nv, model.nq, model.nv,
      model.geoms.size(), model.nu(), model.tendons.size(), model.equalities.size(), model.mass());
  print_safe("time step {:.6g} s, {} integrator, gravity ({:.4g}, {:.4g}, {:.4g}) m/s^2\n\n",
             model.option.timestep, integrator_name(model.option.integrator),
             model.option.gravity.x(), model.option.gravity.y(), model.option.gravity.z());
  print_safe("{:<24} {:<20} {:>10}  {:<30} {}\n", "body", "parent", "mass kg", "position m",
             "joints");
  for (int b = 1; b < model.nbody(); ++b) {
    const Body& body = model.bodies[b];
    const Vec3& p = d.body_pose[b].p;
    print_safe("{:<24} {:<20} {:>10.4g}  {:<30} {}\n", model.body_names[b],
               model.body_names[body.parent], body.mass.mass,
               fmt::format("{:.4f} {:.4f} {:.4f}", p.x(), p.y(), p.z()),
               body.mocap >= 0 ? "driven" : joints_of(model, body));
  }
  if (!model.keyframes.empty()) {
    std::vector<std::string> names;
    for (int k = 0; k < model.keyframe_names.size(); ++k) names.push_back(model.keyframe_names[k]);
    print_safe("\nkeyframes: {}\n", join(names));
  }
}

Json describe(const Model& model, const Derived& d, const std::vector<std::string>& warnings) {
  Json j;
  j["world"] = model.name;
  j["nq"] = model.nq;
  j["nv"] = model.nv;
  j["nu"] = model.nu();
  j["na"] = model.na;
  j["nbody"] = model.nbody();
  j["ngeom"] = model.geoms.size();
  j["njoint"] = model.joints.size();
  j["ntendon"] = model.tendons.size();
  j["neq"] = model.equalities.size();
  j["mass"] = model.mass();
  j["timestep"] = model.option.timestep;
  j["integrator"] = integrator_name(model.option.integrator);
  std::vector<double> M;
  const MatX dense = dense_mass_matrix(model, d);
  for (int r = 0; r < model.nv; ++r)
    for (int c = 0; c < model.nv; ++c) M.push_back(dense(r, c));
  j["M"] = M;
  j["bias"] = d.bias;
  j["passive"] = d.passive;
  j["actuation"] = d.actuation;
  j["qacc"] = d.acceleration;
  Json poses = Json::object();
  for (int b = 0; b < model.nbody(); ++b)
    poses[model.body_names[b]] = {{"position", to_json(d.body_pose[b].p)},
                                  {"quaternion", to_json(d.body_pose[b].q)}};
  j["body_pose"] = poses;
  Json bodies = Json::array(), joints = Json::array(), actuators = Json::array(),
       keys = Json::array();
  for (int b = 0; b < model.nbody(); ++b)
    bodies.push_back({{"name", model.body_names[b]},
                      {"parent", model.body_names[model.bodies[b].parent]},
                      {"mass", model.bodies[b].mass.mass},
                      {"com", to_json(model.bodies[b].mass.com)}});
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    joints.push_back({{"name", model.joint_names[static_cast<int>(i)]},
                      {"type", type_name(model.joints[i].type)},
                      {"body", model.body_names[model.joints[i].body]},
                      {"q", model.joints[i].q},
                      {"v", model.joints[i].dof}});
  for (int a = 0; a < model.nu(); ++a) actuators.push_back(model.actuator_names[a]);
  for (int k = 0; k < model.keyframe_names.size(); ++k) keys.push_back(model.keyframe_names[k]);
  Json meshes = Json::array();
  for (std::size_t m = 0; m < model.assets.pieces.size(); ++m)
    if (const Pieces& pieces = model.assets.pieces[m]; !pieces.solids.empty())
      meshes.push_back({{"name", model.mesh_names[static_cast<int>(m)]},
                        {"pieces", pieces.solids.size()},
                        {"error", pieces.error},
                        {"size", aabb(model.assets.meshes[m]).extent().norm()}});
  j["meshes_in_pieces"] = meshes;
  Json fields = Json::array();
  for (std::size_t m = 0; m < model.assets.fields.size(); ++m)
    if (const MeshField* made = model.assets.fields[m].get(); made != nullptr)
      fields.push_back({{"name", model.mesh_names[static_cast<int>(m)]},
                        {"cells", made->field.cells()},
                        {"depth", made->field.depth()},
                        {"error", made->field.error()},
                        {"triangles", made->surface.mesh().triangles.size()},
                        {"closed", made->closed},
                        {"size", made->surface.size()}});
  j["meshes_with_fields"] = fields;
  j["bodies"] = bodies;
  j["joints"] = joints;
  j["actuators"] = actuators;
  j["keyframes"] = keys;
  j["warnings"] = warnings;
  return j;
}

void inspect(const InspectArguments& a) {
  const Model model = load_for_tool(a.world, a.quiet, a.load);
  State state(model);
  Input input(model);
  if (!a.keyframe.empty()) start_at_keyframe(model, a.keyframe, state, input);
  fill_numbers(state.q, a.q, "--q");
  fill_numbers(state.v, a.v, "--v");
  fill_numbers(input.ctrl, a.ctrl, "--ctrl");
  Derived d(model);
  forward(model, state, input, d);
  mass_matrix(model, d);
  bias_forces(model, state, d);
  Warnings warnings(a.quiet || a.json, warning_lines(model));
  if (model.option.contact_on && model.option.constraint_on) {
    warnings.add(Collider(model).warnings());
    OverlapMeasure measure(model);
    const Overlap overlap = measure.of(d);
    warnings.add(overlap_warning(model, overlap));
    if (overlap.deep > 0) warnings.add(exclude_warning(model, measure));
  }
  if (a.json)
    print_json(describe(model, d, warnings.lines()));
  else
    print_table(model, d);
}

}  // namespace

void add_inspect(CLI::App& app, int* exit_code) {
  auto args = std::make_shared<InspectArguments>();
  CLI::App* command = app.add_subcommand(
      "inspect", "print a loaded world: sizes, masses, mass matrix, bias, poses");
  command->add_option("world", args->world, "MJCF or URDF file, or the name of a world")
      ->required()
      ->option_text("WORLD");
  command->add_option("--q", args->q, "configuration: numbers, or a file of them")
      ->option_text("LIST");
  command->add_option("--v", args->v, "velocities: numbers, or a file of them")
      ->option_text("LIST");
  command->add_option("--ctrl", args->ctrl, "controls: numbers, or a file of them")
      ->option_text("LIST");
  command->add_option("--keyframe", args->keyframe, "start from a keyframe (default: qpos0)")
      ->option_text("NAME");
  command
      ->add_option("--coordinates", args->load.coordinates,
                   "generalized, or maximal: links are bodies, joints constraints (default: the "
                   "world's)")
      ->option_text("NAME");
  command->add_flag("--floating-base", args->load.floating_base, "URDF: the root link floats");
  command->add_flag("--json", args->json, "one JSON document on stdout");
  command->add_flag("--quiet", args->quiet, "no warnings");
  command->footer(
      "Examples:\n"
      "  abut inspect worlds/humanoid.xml\n"
      "  abut inspect double_pendulum --q 0.5,-0.2 --v 0,1 --json");
  command->callback([args, exit_code] {
    inspect(*args);
    *exit_code = kDone;
  });
}

}  // namespace abut::tool
