// abut in the race of forward dynamics.
#include <algorithm>

#include "abut/dynamics/articulated.h"
#include "abut/dynamics/bias.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/load/load.h"
#include "abut/model/kinematics.h"
#include "abut/version.h"

#include "participant.h"

namespace {

class Abut : public Participant {
 public:
  std::string engine() const override { return "abut " + std::string(abut::version()); }
  std::vector<std::string> methods() const override { return {"mass-matrix", "articulated"}; }

  void load(const std::string&, const std::string& world, std::vector<Sample> samples) override {
    samples_ = std::move(samples);
    model_ = abut::load_model(world);
    state_ = abut::State(model_);
    input_ = abut::Input(model_);
    d_ = abut::Derived(model_);
  }

  void evaluate(int method, int state) override {
    const Sample& sample = samples_[static_cast<std::size_t>(state)];
    std::copy(sample.q.begin(), sample.q.end(), state_.q.begin());
    std::copy(sample.v.begin(), sample.v.end(), state_.v.begin());
    abut::positions(model_, state_, input_, d_);
    abut::velocities(model_, state_, d_);
    if (method == 0) {
      abut::mass_matrix(model_, d_);
      abut::factor(model_, d_);
      abut::bias_forces(model_, state_, d_);
      for (std::size_t i = 0; i < sample.tau.size(); ++i)
        d_.acceleration[i] = sample.tau[i] - d_.bias[i];
      abut::solve(model_, d_, d_.acceleration);
    } else {
      abut::articulated_acceleration(model_, state_.v, sample.tau, {}, d_, d_.acceleration);
    }
  }

  std::vector<double> acceleration(int) const override { return d_.acceleration; }

 private:
  std::vector<Sample> samples_;
  abut::Model model_;
  abut::State state_;
  abut::Input input_;
  abut::Derived d_;
};

}  // namespace

int main() {
  Abut abut;
  return serve(abut);
}
