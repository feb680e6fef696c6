// Report: one page that describes a run, to open in a browser and to share.
//
//   abut::Measure measure(model);
//   abut::view::Report report(model);
//   settings.observe = [&](std::int64_t, const State& s, const Sample& sample) {
//     report.observe(s, sample, measure.derived());
//   };
//   ... run ...
//   abut::view::PageFile("report.html").write(report.page(facts, &film));
//
// The page is self-contained: no network, no other file. Memory does not grow with the run's length
// (series.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abut/simulate/run.h"
#include "abut/view/plot/plot.h"
#include "abut/view/plot/series.h"
#include "abut/view/scene/film.h"

namespace abut::view {

// Facts that the samples do not contain.
struct RunFacts {
  std::string version;  // of abut
  std::string contact = "none";
  std::string integrator;
  RunOutcome outcome;
  double time = 0;                                     // s, at the end
  std::uint64_t hash = 0;                              // of the state at the end
  std::optional<double> energy_drift, momentum_drift;  // relative, as in --json
  std::vector<std::string> warnings;                   // lines, with file:line where they have one
  std::vector<Share> stages;                           // seconds of each stage; empty: not profiled
};

// A link or a driven body, and its motion.
inline constexpr std::size_t kMostMovers = 64;
struct Mover {
  int body = 0;
  Vec3 centre = Vec3::Zero();  // of mass, in the body frame (m)
  double gyration = 0;         // radius of gyration (m): weight of spin against speed
  Trail trail;                 // of the centre of mass
  Series speed, spin;          // of the centre (m/s), and rad/s
  double peak = 0;             // largest root-mean-square speed of its mass (m/s)
};

class Report {
 public:
  // Follows the first kMostMovers. The model must outlive it.
  explicit Report(const Model& model);

  // `derived` has the positions and velocities of the state.
  void observe(const State& state, const Sample& sample, const Derived& derived);

  // With a film the page has a replay at the top, if the library was built with the viewer.
  std::string page(const RunFacts& facts, const Film* film = nullptr) const;

  // The plots of the page; plots without data are left out.
  std::vector<Plot> plots() const;

 private:
  struct Vector {  // x, y, z and norm over time
    Series component[4];
    void add(double t, const Vec3& v);
  };
  struct JointTrack {
    int joint = 0;
    Series position, velocity;
  };

  void add_motion_plots(std::vector<Plot>& plots) const;
  void add_joint_plots(std::vector<Plot>& plots, JointType type) const;
  void add_body_plots(std::vector<Plot>& plots) const;
  std::vector<const Mover*> liveliest() const;  // at most kColours, in the order of bodies
  std::string bodies_table() const;

  const Model& model_;
  std::int64_t samples_ = 0;
  double total_first_ = 0;
  Series kinetic_, potential_, total_, drift_;
  Vector linear_, angular_;
  std::vector<JointTrack> joints_;  // hinges and slides, kColours of each
  std::vector<Mover> movers_;
  std::vector<Pose> first_pose_, last_pose_;
  std::vector<double> last_speed_;  // of body origins
};

}  // namespace abut::view
