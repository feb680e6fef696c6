#include "scene.h"

#include <fmt/format.h>

#include <fstream>
#include <random>
#include <stdexcept>

namespace {

// worlds/chain90.xml at any length: links of 0.1 m and 0.1 kg, hinges alternating y, x.
void write_chain(int links, const std::filesystem::path& file) {
  std::ofstream out(file);
  out << "<mujoco>\n<compiler angle=\"radian\" autolimits=\"true\"/>\n<worldbody>\n";
  for (int i = 0; i < links; ++i)
    out << fmt::format(
        "<body pos=\"0 0 {}\"><joint type=\"hinge\" axis=\"{}\" damping=\"0.002\"/>"
        "<geom type=\"capsule\" fromto=\"0 0 0 0 0 -0.1\" size=\"0.015\" mass=\"0.1\"/>\n",
        i == 0 ? "10" : "-0.1", i % 2 == 0 ? "0 1 0" : "1 0 0");
  for (int i = 0; i < links; ++i) out << "</body>";
  out << "\n</worldbody>\n</mujoco>\n";
}

std::string text(const abut::Vec3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

const char* type_name(abut::JointType type) {
  switch (type) {
    case abut::JointType::free:
      return "free";
    case abut::JointType::ball:
      return "ball";
    case abut::JointType::slide:
      return "slide";
    case abut::JointType::hinge:
      return "hinge";
  }
  return "";
}

void write_body(const abut::Model& model, int b, std::ofstream& out) {
  const abut::Body& body = model.bodies[b];
  const abut::Quat& q = body.pose.q;
  out << fmt::format("<body pos=\"{}\" quat=\"{} {} {} {}\">\n", text(body.pose.p), q.w(), q.x(),
                     q.y(), q.z());
  if (body.mass.mass > 0) {
    const abut::Mat3& I = body.mass.inertia;
    out << fmt::format("<inertial pos=\"{}\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>\n",
                       text(body.mass.com), body.mass.mass, I(0, 0), I(1, 1), I(2, 2), I(0, 1),
                       I(0, 2), I(1, 2));
  }
  for (int j = body.joint_begin; j < body.joint_begin + body.joint_count; ++j) {
    const abut::Joint& joint = model.joints[j];
    if (joint.ref != 0) throw std::runtime_error("a scene of the race has a joint with ref");
    out << fmt::format("<joint type=\"{}\" pos=\"{}\" axis=\"{}\" armature=\"{}\"/>\n",
                       type_name(joint.type), text(joint.pos), text(joint.axis),
                       model.dofs[joint.dof].armature);
  }
  for (int child = b + 1; child < model.nbody(); ++child)
    if (model.bodies[child].parent == b) write_body(model, child, out);
  out << "</body>\n";
}

}  // namespace

std::vector<Scene> make_scenes(const std::filesystem::path& worlds,
                               const std::filesystem::path& scratch) {
  std::vector<Scene> scenes = {{"humanoid", worlds / "humanoid.xml"},
                               {"bodies1000", worlds / "bodies1000.xml"}};
  for (int links : {10, 30, 90, 270}) {
    const std::string name = fmt::format("chain{}", links);
    std::filesystem::path file = worlds / (name + ".xml");
    if (!std::filesystem::exists(file)) {
      file = scratch / (name + ".xml");
      write_chain(links, file);
    }
    scenes.push_back({name, file, links});
  }
  return scenes;
}

void write_flat(const abut::Model& model, const std::filesystem::path& file) {
  std::ofstream out(file);
  const abut::Vec3 gravity =
      model.option.gravity_on ? model.option.gravity : abut::Vec3(abut::Vec3::Zero());
  // MuJoCo's own guess at its stack is gigabytes for 1,000 bodies; 32 MB are enough
  out << "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n"
      << "<size nstack=\"4000000\"/>\n"
      << fmt::format(
             "<option gravity=\"{}\"><flag contact=\"disable\" constraint=\"disable\"/></option>\n",
             text(gravity))
      << "<worldbody>\n";
  for (int b = 1; b < model.nbody(); ++b)
    if (model.bodies[b].parent == 0) write_body(model, b, out);
  out << "</worldbody>\n</mujoco>\n";
}

void write_states(const abut::Model& model, int count, const std::filesystem::path& file) {
  std::ofstream out(file);
  std::mt19937_64 generator(1);
  // the library's own distributions differ from one standard library to the next
  const auto uniform = [&] { return static_cast<double>(generator() >> 11) * 0x1p-52 - 1; };
  out << fmt::format("{} {} {}\n", model.nq, model.nv, count);
  for (int k = 0; k < count; ++k) {
    std::vector<double> q = model.qpos0;
    for (const abut::Joint& joint : model.joints) {
      double* x = &q[joint.q];
      if (joint.type == abut::JointType::hinge || joint.type == abut::JointType::slide) {
        x[0] = 0.7 * uniform();
        continue;
      }
      if (joint.type == abut::JointType::free) x += 3;
      abut::Quat turned(uniform(), uniform(), uniform(), uniform());
      turned.normalize();
      x[0] = turned.w();
      x[1] = turned.x();
      x[2] = turned.y();
      x[3] = turned.z();
    }
    for (double x : q) out << fmt::format("{} ", x);
    out << '\n';
    for (int i = 0; i < model.nv; ++i) out << fmt::format("{} ", uniform());
    out << '\n';
    for (int i = 0; i < model.nv; ++i) out << fmt::format("{} ", uniform());
    out << '\n';
  }
}
