// abut in the race of engines: engines_abut MODEL.. (contact models; default st).
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "abut/load/mjcf/mjcf.h"
#include "abut/simulate/simulator.h"
#include "abut/version.h"
#include "participant.h"

namespace {

class Abut final : public Participant {
 public:
  explicit Abut(std::vector<std::string> models) : models_(std::move(models)) {}
  std::string engine() const override { return fmt::format("abut {}", abut::version()); }
  std::vector<std::string> methods() const override { return models_; }

  void load(const EngineScene& scene, int method) override {
    simulator_.reset();
    model_ = abut::compile(abut::parse_mjcf(as_mjcf(scene)));
    abut::ContactSettings settings;
    settings.model = models_.at(static_cast<std::size_t>(method));
    simulator_ = std::make_unique<abut::Simulator>(model_, settings);
    state_ = abut::State(model_);
    input_ = abut::Input(model_);
  }
  void step() override { simulator_->step(state_, input_); }
  std::vector<Motion> motions() const override {
    std::vector<Motion> out(state_.q.size() / 7);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double *q = &state_.q[7 * i], *v = &state_.v[6 * i];
      std::copy_n(q, 7, out[i].begin());
      std::copy_n(v, 3, out[i].begin() + 7);
      const abut::Vec3 w = abut::Quat(q[3], q[4], q[5], q[6]) * abut::Vec3(v[3], v[4], v[5]);
      std::copy_n(w.data(), 3, out[i].begin() + 10);
    }
    return out;
  }
  std::string hash() const override { return fmt::format("{:016x}", state_.hash()); }

 private:
  std::vector<std::string> models_;
  abut::Model model_;
  std::unique_ptr<abut::Simulator> simulator_;
  abut::State state_;
  abut::Input input_;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> models(argv + 1, argv + argc);
  if (models.empty()) models = {"st"};
  Abut abut(models);
  return serve(abut);
}
