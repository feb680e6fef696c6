// abut in the race of engines: engines_abut MODEL.. (contact models; default fast). MODEL+rk4 also
// chooses the integrator.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "abut/load/mjcf/mjcf.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/setting.h"
#include "abut/simulate/simulator.h"
#include "abut/version.h"
#include "participant.h"

namespace {

class Abut final : public Participant {
 public:
  explicit Abut(std::vector<std::string> models) : models_(std::move(models)) {}
  std::string engine() const override { return fmt::format("abut {}", abut::version()); }
  std::vector<std::string> methods() const override { return models_; }
  int threads() const override { return static_cast<int>(std::thread::hardware_concurrency()); }

  void load(const EngineScene& scene, int method, int threads) override {
    simulator_.reset();
    model_ = abut::compile(abut::parse_mjcf(as_mjcf(scene)));
    abut::ContactSettings settings;
    const std::string& name = models_.at(static_cast<std::size_t>(method));
    const std::size_t plus = name.find('+');
    settings.model = name.substr(0, plus);
    if (plus != std::string::npos) abut::apply_setting(model_, "integrator", name.substr(plus + 1));
    simulator_ = std::make_unique<abut::Simulator>(model_, settings);
    simulator_->set_threads(threads);
    state_ = abut::State(model_);
    input_ = abut::Input(model_);
    derived_ = abut::Derived(model_);
    bodies_.clear();
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
      if (scene.solids[i].mass > 0) bodies_.push_back(model_.find_body(fmt::format("s{}", i)));
  }
  void gravity(const Three& g) override { model_.option.gravity = {g[0], g[1], g[2]}; }
  void step() override { simulator_->step(state_, input_); }
  std::vector<Motion> motions() override {
    abut::positions(model_, state_, input_, derived_);
    abut::velocities(model_, state_, derived_);
    std::vector<Motion> out;
    for (const int body : bodies_) {
      const auto b = static_cast<std::size_t>(body);
      const abut::Pose& X = derived_.body_pose[b];
      const abut::Spatial V = abut::twist_at(model_, derived_, model_.bodies[b].link, X.p);
      out.push_back({X.p[0], X.p[1], X.p[2], X.q.w(), X.q.x(), X.q.y(), X.q.z(), V.lin[0], V.lin[1],
                     V.lin[2], V.ang[0], V.ang[1], V.ang[2]});
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
  abut::Derived derived_;
  std::vector<int> bodies_;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> models(argv + 1, argv + argc);
  if (models.empty()) models = {"fast"};
  Abut abut(models);
  return serve(abut);
}
