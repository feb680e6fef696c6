// Draft: a model while it is built from its description, and the steps that build it. compile()
// runs them in this order.
#pragma once

#include <optional>
#include <vector>

#include "abut/model/compile/compile_check.h"
#include "abut/model/model.h"
#include "abut/model/principal_inertia.h"

namespace abut::compiling {

// Joints with a single value, which tendons and couplings can refer to.
inline bool is_scalar(JointType type) {
  return type == JointType::hinge || type == JointType::slide;
}

inline int dof_count(JointType type) {
  return type == JointType::free ? 6 : type == JointType::ball ? 3 : 1;
}

struct Draft {
  explicit Draft(const World& description) : world(description) {}

  const World& world;
  Model model;

  // descriptions by id
  std::vector<const BodyDesc*> bodies;
  std::vector<const JointDesc*> joints;
  std::vector<const GeomDesc*> geoms;
  std::vector<const SiteDesc*> sites;

  std::vector<PrincipalInertia> geom_inertia;  // in the body frame; mass 0: does not contribute
  std::vector<PrincipalInertia> body_inertia;  // in the body frame
  std::vector<std::optional<PrincipalInertia>> mesh_inertia;  // at density 1; computed on demand
  std::vector<Pose> X_WB;                                     // of the bodies at qpos0

  Thing body(int id) const { return {model.body_names, id, bodies[std::size_t(id)]->source}; }
  Thing joint(int id) const { return {model.joint_names, id, joints[std::size_t(id)]->source}; }
  Thing geom(int id) const { return {model.geom_names, id, geoms[std::size_t(id)]->source}; }
  Thing site(int id) const { return {model.site_names, id, sites[std::size_t(id)]->source}; }
};

// checks that a step can run with the options
void check_options(const Options& option, const Source& where);

// bodies, joints, geoms and sites in depth-first order, with names; joints complete
void lay_out_bodies(Draft& draft);

// mesh and height field data; hulls of the meshes that may collide
void make_assets(Draft& draft);
const PrincipalInertia& mesh_inertia(Draft& draft, int mesh);  // at density 1
void make_pieces(Draft& draft);                                // of meshes that collide in pieces

// shapes and poses of geoms and sites, masses of the geoms that carry any
void make_geoms(Draft& draft);
void number_solids(Draft& draft);
void make_sites(Draft& draft);

// masses of bodies; frames that free joints ask to align; fluid boxes
void make_body_inertias(Draft& draft);

// qpos0, poses at qpos0, links, trees, dofs and the pattern of the mass matrix
void make_tree(Draft& draft);

// measures, for maximal coordinates
void make_measures(Draft& draft);

// tendons, before the actuators on them
void make_tendons(Draft& draft);

// spring-dampers given as time constant and damping ratio
void make_spring_dampers(Draft& draft);

void make_actuators(Draft& draft);

// position servos given by their damping ratio
void make_servo_damping(Draft& draft);

void make_contacts(Draft& draft);  // pairs and excludes
void make_equalities(Draft& draft);
std::vector<EqualityDesc> loop_joints(const World& world);  // abut.joint.NAME
void make_keyframes(Draft& draft);
void make_custom(Draft& draft);
void make_sensors(Draft& draft);
void note_what_is_not_simulated(Draft& draft);  // text, numeric, tuple

}  // namespace abut::compiling
