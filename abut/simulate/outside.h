// External influences on a run, from files and flags: controls, PD targets, pushes, driven bodies.
// Each adds to an Input at a given time.
//
//   abut::Push push = abut::parse_push(model, "1,0.1,box,0,0,50");
//   push.apply(model, derived, state.time, input);
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

// A force in world axes on a point of a body, for a limited time.
struct Push {
  double start = 0, duration = 0;  // s
  int body = 0;
  Vec3 force = Vec3::Zero();  // N, world axes
  Vec3 point = Vec3::Zero();  // m, in the body frame

  // Adds the force to input.wrench while start <= time < start + duration.
  void apply(const Model& model, const Derived& d, double time, Input& input) const;
};

// "t0,duration,BODY,fx,fy,fz[,px,py,pz]"; without a point, the centre of mass.
Push parse_push(const Model& model, std::string_view text);

// A table of numbers with a header line: comma separated, `#` starts a comment.
struct CsvTable {
  std::string file;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::vector<int> lines;  // line numbers of the rows, for messages
};
CsvTable read_csv(const std::filesystem::path& file);

// Controls over time: the first column is t (s), ascending; the others are named after actuators. A
// value holds from its row until the next row.
class ControlTable {
 public:
  ControlTable(const Model& model, const CsvTable& table);
  void apply(double time, Input& input) const;

 private:
  std::vector<int> actuators_;
  std::vector<double> times_;
  std::vector<std::vector<double>> values_;
};

struct PdTarget {
  double position = 0;   // m or rad
  double velocity = 0;   // m/s or rad/s
  double stiffness = 0;  // N/m or N m/rad
  double damping = 0;    // N s/m or N m s/rad
};

// PD targets by name: each pulls a hinge or slide joint to a position.
//
//   abut::PdTargets pd(model);
//   pd.set("knee", {.position = 0.5, .stiffness = 40, .damping = 2});
//   settings.control = [&](const Model&, const State& s, Input& in) { pd.apply(s, in); };
//
// The force is that of the state at the start of the step: with a step h it is stable while
// damping + h stiffness is below about 2 m / h, where m is what the joint moves (kg or kg m^2). A
// position actuator of the world is inside the implicit step, and has no such bound.
class PdTargets {
 public:
  explicit PdTargets(const Model& model) : model_(model) {}

  // Throws WorldError: no such joint (with the nearest name), one that is neither hinge nor slide,
  // numbers that are not finite, gains below 0.
  void set(std::string_view joint, const PdTarget& target);
  // "JOINT,position,stiffness,damping", as `abut run --pd` takes it.
  void set(std::string_view text);
  // Adds to input.force.
  void apply(const State& state, Input& input) const;
  bool empty() const { return pulls_.empty(); }

 private:
  struct Pull {
    int joint = 0;
    PdTarget target;
  };
  const Model& model_;
  std::vector<Pull> pulls_;  // one a joint, in the order in which they were first set
};

// The path of a driven (mocap) body: t, x, y, z, qw, qx, qy, qz. Between rows the position moves
// along a line and the orientation turns about one axis, both at constant rate. Before the first
// and after the last row the body is at rest.
class DrivePath {
 public:
  DrivePath(const Model& model, int body, const CsvTable& table);
  void apply(double time, Input& input) const;

 private:
  int mocap_ = 0;
  std::vector<double> times_;
  std::vector<Pose> poses_;
};

}  // namespace abut
