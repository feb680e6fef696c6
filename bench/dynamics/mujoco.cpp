// Native MuJoCo in the race of forward dynamics.
#include <mujoco/mujoco.h>

#include <memory>

#include "participant.h"

namespace {

class Mujoco : public Participant {
 public:
  std::string engine() const override { return std::string("MuJoCo ") + mj_versionString(); }
  std::vector<std::string> methods() const override { return {"mass-matrix"}; }

  void load(const std::string& flat, const std::string&, std::vector<Sample> samples) override {
    samples_ = std::move(samples);
    char error[1000] = "";
    data_.reset();
    model_.reset(mj_loadXML(flat.c_str(), nullptr, error, sizeof error));
    if (!model_) throw std::runtime_error(error);
    data_.reset(mj_makeData(model_.get()));
  }

  // What mj_forward does for a model without geoms, tendons, actuators and constraints,
  // without the bookkeeping around it.
  void evaluate(int, int state) override {
    const Sample& sample = samples_[static_cast<std::size_t>(state)];
    const mjModel* m = model_.get();
    mjData* d = data_.get();
    mju_copy(d->qpos, sample.q.data(), m->nq);
    mju_copy(d->qvel, sample.v.data(), m->nv);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_crb(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    mju_sub(d->qfrc_smooth, sample.tau.data(), d->qfrc_bias, m->nv);
    mj_solveM(m, d, d->qacc, d->qfrc_smooth, 1);
  }

  std::vector<double> acceleration(int) const override {
    return {data_->qacc, data_->qacc + model_->nv};
  }

 private:
  struct Free {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  std::vector<Sample> samples_;
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
};

}  // namespace

int main() {
  Mujoco mujoco;
  return serve(mujoco);
}
