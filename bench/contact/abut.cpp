// abut's part in the race of boxes.
#include <fmt/format.h>

#include <memory>

#include "abut/load/load.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/simulate/simulator.h"
#include "abut/version.h"
#include "mjcf.h"

namespace {

class Abut final : public Participant {
 public:
  std::string engine() const override { return fmt::format("abut {}", abut::version()); }
  std::vector<std::string> methods() const override { return {"st", "ap"}; }

  void load(const Boxes& scene, int method) override {
    model_ = abut::compile(abut::parse_mjcf(as_mjcf(scene)));
    start(method);
  }
  bool reads_worlds() const override { return true; }
  void load_world(const std::string& file, int method) override {
    model_ = abut::load_model(file);
    start(method);
    abut::set_keyframe(model_, model_.find_keyframe("home"), state_, &input_);
  }
  std::vector<double> q() const override { return state_.q; }
  void step() override { simulator_->step(state_, input_); }
  BoxPose pose(int box) const override {
    BoxPose x;
    std::copy_n(state_.q.begin() + 7 * box, 7, x.begin());
    return x;
  }

 private:
  void start(int method) {
    abut::ContactSettings settings;
    settings.model = method == 0 ? "st" : "ap";
    simulator_ = std::make_unique<abut::Simulator>(model_, settings);
    state_ = abut::State(model_);
    input_ = abut::Input(model_);
  }

  abut::Model model_;
  std::unique_ptr<abut::Simulator> simulator_;
  abut::State state_;
  abut::Input input_;
};

}  // namespace

int main() {
  Abut abut;
  return serve(abut);
}
