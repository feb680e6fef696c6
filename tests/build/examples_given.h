// What the examples of public headers and of docs/api.md take as given (examples.awk). Declared and
// never defined: the examples are compiled, and not run. examples_test.sh includes all public headers before.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace given {

struct Anything {
  template <class T>
  operator T() const;
};
Anything anything();
template <class... T>
void use(T&&...);
template <class... T>
void print(T&&...);
template <class... T>
void push_apart(T&&...);

extern abut::Model model;
extern abut::State state, start;
extern abut::Input input;
extern abut::Derived derived, d;
extern abut::Simulator simulator;
extern abut::Sample sample;
extern abut::ContactForces forces;
extern abut::RunSettings settings;

extern abut::Problem problem;
extern std::unique_ptr<abut::Solver> solver;
extern abut::Answer answer;
extern abut::VectorX x, y;
extern std::uint64_t seed;

extern std::vector<abut::Vec3> points;
extern std::vector<abut::Pose> poses;
extern abut::Vec3 p, p_B, normal;
extern abut::Aabb other;
extern abut::Polyhedron box;
extern abut::TriangleMesh mesh;
extern abut::MassProperties mass;
extern abut::Pose X_WA, X_WB, X_WC, X_WG, X_SP;
extern abut::Transform X_AB;
extern abut::Convex a, b;
extern abut::Intersection common;
extern abut::ClipBuffers buffers;
extern abut::PairFilter filter;
extern abut::ContactData data, contacts;
extern abut::Drawing drawing;
extern int geom, geom_a, geom_b, cup, torso, belt, gate;
extern bool opened;
extern abut::VectorX tau, bias, wanted_acceleration;
extern abut::Vec3 eye, forward;
extern std::int64_t step;

extern abut::Choice choice;
const abut::ModelInfo& my_info();
std::unique_ptr<abut::ContactModel> make_mine(const abut::ContactWorld& world);

struct MyLaw {
  static constexpr int kPairWidth = 0, kPointWidth = 0;
  template <class Push>
  void forces(const abut::PairView& pair, const abut::PairRecall& memory, Push&& push) {}
  void advance(const abut::PairView& pair, const abut::PairRecall& memory, abut::PairKeep now,
               abut::PairKeep next);
  bool keeps_accounts() const;
};

extern abut::haptic::Device& device;
extern abut::haptic::HapticCycle& cycle;
extern abut::haptic::HandPath path;

extern std::unique_ptr<abut::view::Session> session;
extern abut::view::Outlet outlet;
extern abut::view::ServerHandlers handlers;
extern abut::view::Series series;
extern abut::view::RunFacts facts;
extern abut::view::Film film;
extern std::span<const abut::view::Film* const> lanes;
void open_in_browser(const std::string& address);
extern std::uint64_t client;
extern double time, joules;
extern std::string page, bytes;

}  // namespace given
