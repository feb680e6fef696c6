// Links, trees and degrees of freedom.
#include <Eigen/LU>

#include "abut/model/compile/compile_draft.h"

namespace abut::compiling {
namespace {

void place_bodies(Draft& draft) {
  const std::vector<Body>& bodies = draft.model.bodies;
  draft.X_WB.resize(bodies.size());
  for (std::size_t id = 1; id < bodies.size(); ++id) {
    draft.X_WB[id] = draft.X_WB[std::size_t(bodies[id].parent)] * bodies[id].pose;
    draft.X_WB[id].q.normalize();
  }
}

// Rows of q at qpos0.
void append_qpos0(std::vector<double>& q, const Joint& joint, const Pose& body) {
  if (joint.type == JointType::free) q.insert(q.end(), {body.p.x(), body.p.y(), body.p.z()});
  switch (joint.type) {
    case JointType::free: {
      const Quat& r = body.q;
      q.insert(q.end(), {r.w(), r.x(), r.y(), r.z()});
      break;
    }
    case JointType::ball:
      q.insert(q.end(), {1, 0, 0, 0});
      break;
    default:
      q.push_back(joint.ref);
  }
}

void append_dofs(Draft& draft, int joint_id, int link, int& last_dof) {
  Model& model = draft.model;
  Joint& joint = model.joints[std::size_t(joint_id)];
  const JointDesc& d = *draft.joints[std::size_t(joint_id)];
  joint.q = static_cast<int>(model.qpos0.size());
  joint.dof = static_cast<int>(model.dofs.size());
  append_qpos0(model.qpos0, joint, model.bodies[std::size_t(joint.body)].pose);
  for (int i = 0; i < dof_count(joint.type); ++i) {
    Dof dof;
    dof.joint = joint_id;
    dof.body = joint.body;
    dof.link = link;
    dof.parent = last_dof;
    dof.armature = d.armature;
    dof.damping = d.damping;
    dof.frictionloss = d.frictionloss;
    last_dof = static_cast<int>(model.dofs.size());
    model.dofs.push_back(dof);
  }
}

void start_link(Draft& draft, int body_id) {
  Model& model = draft.model;
  Body& body = model.bodies[std::size_t(body_id)];
  const int id = static_cast<int>(model.links.size());
  Link link;
  link.body = body_id;
  link.parent = model.bodies[std::size_t(body.parent)].link;
  link.dof_begin = static_cast<int>(model.dofs.size());
  int last_dof = -1;
  if (link.parent >= 0) {
    const Link& above = model.links[std::size_t(link.parent)];
    link.tree = above.tree;
    last_dof = above.dof_begin + above.dof_count - 1;
  } else {
    link.tree = static_cast<int>(model.trees.size());
    model.trees.push_back({id, 0, link.dof_begin, 0, false});
  }
  for (int j = 0; j < body.joint_count; ++j) append_dofs(draft, body.joint_begin + j, id, last_dof);
  link.dof_count = static_cast<int>(model.dofs.size()) - link.dof_begin;
  body.link = id;
  Tree& tree = model.trees[std::size_t(link.tree)];
  ++tree.link_count;
  tree.dof_count += link.dof_count;
  model.links.push_back(link);
}

void make_links(Draft& draft) {
  std::vector<Body>& bodies = draft.model.bodies;
  for (std::size_t id = 1; id < bodies.size(); ++id) {
    if (bodies[id].joint_count > 0) {
      start_link(draft, static_cast<int>(id));
    } else {
      bodies[id].link = bodies[id].mocap >= 0 ? -1 : bodies[std::size_t(bodies[id].parent)].link;
    }
  }
  for (Tree& tree : draft.model.trees) {
    const Body& root = bodies[std::size_t(draft.model.links[std::size_t(tree.link_begin)].body)];
    const Dof& first = draft.model.dofs[std::size_t(tree.dof_begin)];
    tree.free_body = tree.link_count == 1 && root.joint_count == 1 &&
                     draft.model.joints[std::size_t(root.joint_begin)].type == JointType::free &&
                     first.armature == 0 && first.frictionloss == 0 &&
                     first.damping == std::array<double, 3>{};
  }
}

// The bodies welded to a link, in the frame of the link's first body.
void weigh_links(Draft& draft) {
  Model& model = draft.model;
  std::vector<Pose> X_LB(model.bodies.size());  // body in its link's frame
  for (std::size_t id = 1; id < model.bodies.size(); ++id) {
    const Body& body = model.bodies[id];
    if (body.link < 0) continue;
    Link& link = model.links[std::size_t(body.link)];
    if (link.body == static_cast<int>(id)) {
      link.mass = body.mass;
    } else {
      X_LB[id] = X_LB[std::size_t(body.parent)] * body.pose;
      if (body.mass.mass > 0) link.mass = combined(link.mass, transformed(body.mass, X_LB[id]));
    }
  }
  for (Link& link : model.links) link.inverse_inertia = link.mass.inertia.inverse();
}

// Row i: the dofs on the path from the root to i.
void make_pattern(Model& model) {
  model.M_row.assign(1, 0);
  model.M_row.reserve(model.dofs.size() + 1);
  for (std::size_t i = 0; i < model.dofs.size(); ++i) {
    const int parent = model.dofs[i].parent;
    if (parent >= 0) {
      // the parent's row, which ends with the parent itself
      const int begin = model.M_row[std::size_t(parent)],
                end = model.M_row[std::size_t(parent) + 1];
      for (int k = begin; k < end; ++k) model.M_col.push_back(model.M_col[std::size_t(k)]);
    }
    model.M_col.push_back(static_cast<int>(i));
    model.M_row.push_back(static_cast<int>(model.M_col.size()));
  }
}

}  // namespace

void make_tree(Draft& draft) {
  place_bodies(draft);
  make_links(draft);
  weigh_links(draft);
  make_pattern(draft.model);
  draft.model.nq = static_cast<int>(draft.model.qpos0.size());
  draft.model.nv = static_cast<int>(draft.model.dofs.size());
}

}  // namespace abut::compiling
