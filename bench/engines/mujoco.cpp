// MuJoCo in the race of engines: as it comes (Newton's method, pyramidal cones), and with elliptic
// cones and a large impratio, which its documentation recommends against slip, and with contacts as
// hard as the step allows.
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "participant.h"

namespace {

constexpr std::size_t kMost = 250;  // solids

// What MuJoCo prints before it would end the program.
[[noreturn]] void fail(const char* message) { throw std::runtime_error(message); }

class MuJoCo final : public Participant {
 public:
  MuJoCo() { mju_user_error = fail; }
  ~MuJoCo() override { clear(); }
  std::string engine() const override { return std::string("MuJoCo ") + mj_versionString(); }
  std::vector<std::string> methods() const override { return {"default", "elliptic hard"}; }

  void load(const EngineScene& scene, int method, int) override {
    clear();
    if (scene.solids.size() > kMost)
      throw std::invalid_argument("its matrices grow with the square of the contacts: 250 solids");
    const std::string file = std::filesystem::temp_directory_path() /
                             ("abut_engines_" + std::to_string(getpid()) + ".xml");
    std::ofstream(file) << roomy(as_mjcf(scene), 10 * scene.solids.size() + 50);
    char error[1000] = "";
    model_ = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
    std::filesystem::remove(file);
    if (model_ == nullptr) throw std::runtime_error(error);
    if (method == 1) harden();
    data_ = mj_makeData(model_);
    bodies_.clear();
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
      if (scene.solids[i].mass > 0)
        bodies_.push_back(mj_name2id(model_, mjOBJ_BODY, ("s" + std::to_string(i)).c_str()));
  }
  void gravity(const Three& g) override { std::copy_n(g.begin(), 3, model_->opt.gravity); }
  void step() override {
    mj_step(model_, data_);
    for (const int warning : {mjWARN_CONTACTFULL, mjWARN_CNSTRFULL, mjWARN_BADQACC})
      if (data_->warning[warning].number > 0)
        throw std::runtime_error(mju_warningText(warning, data_->warning[warning].lastinfo));
  }
  std::vector<Motion> motions() override {
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_comVel(model_, data_);
    std::vector<Motion> out;
    for (const int body : bodies_) {
      Motion& m = out.emplace_back();
      std::copy_n(data_->xpos + 3 * body, 3, m.begin());
      std::copy_n(data_->xquat + 4 * body, 4, m.begin() + 3);
      mjtNum velocity[6];  // angular, linear
      mj_objectVelocity(model_, data_, mjOBJ_BODY, body, velocity, 0);
      std::copy_n(velocity + 3, 3, m.begin() + 7);
      std::copy_n(velocity, 3, m.begin() + 10);
    }
    return out;
  }

 private:
  // Its matrices are sized by the world file.
  static std::string roomy(std::string xml, std::size_t contacts) {
    return xml.insert(xml.find("<option"), "<size nconmax='" + std::to_string(contacts) +
                                               "' njmax='" + std::to_string(4 * contacts) + "'/>");
  }
  void harden() {
    model_->opt.cone = mjCONE_ELLIPTIC;
    model_->opt.impratio = 10;
    for (int g = 0; g < model_->ngeom; ++g) {
      model_->geom_solref[2 * g] = 2 * model_->opt.timestep;  // s: as stiff as the step allows
      model_->geom_solimp[5 * g] = 0.99;
      model_->geom_solimp[5 * g + 1] = 0.9999;
    }
  }
  void clear() {
    if (data_ != nullptr) mj_deleteData(data_);
    if (model_ != nullptr) mj_deleteModel(model_);
    data_ = nullptr;
    model_ = nullptr;
  }
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::vector<int> bodies_;
};

}  // namespace

int main() {
  MuJoCo mujoco;
  return serve(mujoco);
}
