// ODE's part in the race of boxes: its exact step (Dantzig) and QuickStep (projected
// Gauss-Seidel, 20 sweeps as it comes).
#include <ode/ode.h>

#include <cstdarg>

#include "participant.h"

namespace {

class Ode final : public Participant {
 public:
  Ode() {
    dInitODE2(0);
    // of redundant contacts its exact solver complains in every step
    dSetMessageHandler([](int, const char*, va_list) {});
  }
  ~Ode() override {
    clear();
    dCloseODE();
  }
  std::string engine() const override { return "ODE 0.16"; }
  std::vector<std::string> methods() const override { return {"world step", "QuickStep"}; }

  void load(const Boxes& scene, int method) override {
    clear();
    quick_ = method == 1;
    h_ = scene.step;
    friction_ = scene.friction;
    world_ = dWorldCreate();
    dWorldSetGravity(world_, 0, 0, -9.81);
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dCreatePlane(space_, 0, 0, 1, 0);
    for (const Boxes::Box& b : scene.boxes) {
      const dBodyID body = dBodyCreate(world_);
      dMass mass;
      dMassSetBoxTotal(&mass, b.mass, 2 * b.half[0], 2 * b.half[1], 2 * b.half[2]);
      dBodySetMass(body, &mass);
      dBodySetPosition(body, b.position[0], b.position[1], b.position[2]);
      const dGeomID geom = dCreateBox(space_, 2 * b.half[0], 2 * b.half[1], 2 * b.half[2]);
      dGeomSetBody(geom, body);
      bodies_.push_back(body);
    }
  }

  void step() override {
    dSpaceCollide(space_, this, &Ode::near);
    if (quick_) {
      dWorldQuickStep(world_, h_);
    } else {
      dWorldStep(world_, h_);
    }
    dJointGroupEmpty(contacts_);
  }

  BoxPose pose(int box) const override {
    const dReal* p = dBodyGetPosition(bodies_[static_cast<std::size_t>(box)]);
    const dReal* q = dBodyGetQuaternion(bodies_[static_cast<std::size_t>(box)]);
    return {p[0], p[1], p[2], q[0], q[1], q[2], q[3]};
  }

 private:
  static void near(void* self, dGeomID a, dGeomID b) {
    Ode& ode = *static_cast<Ode*>(self);
    dContact contact[8];
    const int n = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < n; ++i) {
      contact[i].surface = {};
      contact[i].surface.mode = dContactApprox1;
      contact[i].surface.mu = ode.friction_;
      const dJointID joint = dJointCreateContact(ode.world_, ode.contacts_, &contact[i]);
      dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    }
  }
  void clear() {
    if (world_ == nullptr) return;
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    world_ = nullptr;
    bodies_.clear();
  }

  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  std::vector<dBodyID> bodies_;
  double h_ = 0, friction_ = 0;
  bool quick_ = false;
};

}  // namespace

int main() {
  Ode ode;
  return serve(ode);
}
