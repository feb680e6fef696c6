// What the experiments about conservation laws share (docs/laws.md): worlds from text, a run of one
// of them under a contact model, and the table of laws times models.
//
//   LawRun run(tumbling_hulls(1, 1, 0), law_settings("st"), 1e-3);
//   run.advance(1);
//   double lost = 1 - run.energy() / run.first_energy();
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "abut/dynamics/energy.h"
#include "abut/reproduce/experiment.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {

// All that the laws are asked of, and those of them that have restitution.
std::span<const char* const> law_models();
std::span<const char* const> bouncing_models();
ContactSettings law_settings(std::string_view contact, std::string_view law = "newton");

class LawRun {
 public:
  // From the first keyframe, if there is one. `world` is MJCF.
  LawRun(const std::string& world, const ContactSettings& settings, double h);

  // Calls `after`, if there is one, after every step.
  void advance(double seconds, const std::function<void()>& after = {});

  double energy();      // J: kinetic and potential, as it is
  Momentum momentum();  // as it is
  double first_energy() const { return first_energy_; }
  // |change| over sum(m |v|), and over sum(m |x - c| |v| + |I omega|) of the start.
  double linear_drift();
  double angular_drift();

  const Model model;
  State state;

  Vec3 velocity(int free_body) const;  // of its origin
  Vec3 position(int free_body) const;
  const Simulator& simulator() const { return simulator_; }

 private:
  void look();

  Simulator simulator_;
  Input input_;
  Derived d_;
  double first_energy_ = 0, linear_scale_ = 0, angular_scale_ = 0;
  Momentum first_momentum_;
};

// Eight hulls of 0.1 to 0.2 m that fly at each other and tumble, without gravity.
std::string tumbling_hulls(unsigned seed, double restitution, double friction);
// Five balls of 0.2 m in a row, `gap` (m) apart; the first comes with 1 m/s. No gravity, no
// friction.
std::string cradle(double gap);
// n^3 elastic balls of 0.2 m and 10 kg, 1 m over a floor, a few millimetres apart. No friction.
std::string block_of_balls(int n);
// A ball, or a cylinder, of 0.1 m radius on a plane that leans by `slope` (rad); the world's x is
// down the slope and gravity leans.
std::string roller(const char* shape, double slope);
// A box of 0.2 m on a plane that leans like that, with friction mu.
std::string box_on_slope(double slope, double mu);

}  // namespace abut::reproduce
