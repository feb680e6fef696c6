// MuJoCo's part in the race of boxes: its default solver and cone, and the elliptic cone with
// the hardest contacts that its own documentation calls sensible.
#include <mujoco/mujoco.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>

#include "mjcf.h"

namespace {

class MuJoCo final : public Participant {
 public:
  ~MuJoCo() override { clear(); }
  std::string engine() const override { return std::string("MuJoCo ") + mj_versionString(); }
  std::vector<std::string> methods() const override { return {"default", "elliptic, hard"}; }

  void load(const Boxes& scene, int method) override {
    clear();
    const std::string file = std::filesystem::temp_directory_path() /
                             ("abut_bench_" + std::to_string(getpid()) + ".xml");
    std::ofstream(file) << as_mjcf(scene);
    read(file, method);
    std::remove(file.c_str());
  }
  bool reads_worlds() const override { return true; }
  void load_world(const std::string& file, int method) override {
    clear();
    read(file, method);
    mj_resetDataKeyframe(model_, data_, mj_name2id(model_, mjOBJ_KEY, "home"));
  }
  std::vector<double> q() const override { return {data_->qpos, data_->qpos + model_->nq}; }
  void step() override { mj_step(model_, data_); }
  BoxPose pose(int box) const override {
    BoxPose x;
    std::copy_n(data_->qpos + 7 * box, 7, x.begin());
    return x;
  }

 private:
  void read(const std::string& file, int method) {
    char error[1000] = "";
    model_ = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
    if (model_ == nullptr) throw std::runtime_error(error);
    if (method == 1) {
      model_->opt.cone = mjCONE_ELLIPTIC;
      for (int g = 0; g < model_->ngeom; ++g) {
        model_->geom_solref[2 * g] = 2 * model_->opt.timestep;  // s: as stiff as the step allows
        model_->geom_solimp[5 * g] = 0.99;
        model_->geom_solimp[5 * g + 1] = 0.9999;
      }
    }
    data_ = mj_makeData(model_);
  }
  void clear() {
    if (data_ != nullptr) mj_deleteData(data_);
    if (model_ != nullptr) mj_deleteModel(model_);
    data_ = nullptr;
    model_ = nullptr;
  }
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace

int main() {
  MuJoCo mujoco;
  return serve(mujoco);
}
