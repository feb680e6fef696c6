// ODE in the race of engines: QuickStep with its 20 sweeps, at most 8 points a pair, as it comes.
#include <ode/ode.h>

#include <cstdarg>
#include <stdexcept>

#include "participant.h"

namespace {

class Ode final : public Participant {
 public:
  Ode() {
    dInitODE2(0);
    dSetMessageHandler([](int, const char*, va_list) {});
  }
  ~Ode() override {
    clear();
    dCloseODE();
  }
  std::string engine() const override { return "ODE 0.16"; }
  std::vector<std::string> methods() const override { return {"QuickStep"}; }

  void load(const EngineScene& scene, int) override {
    clear();
    for (const Solid& s : scene.solids)
      if (s.kind == SolidKind::hull) throw std::invalid_argument("hulls are not in this race");
    step_ = scene.step;
    friction_ = scene.friction;
    world_ = dWorldCreate();
    dWorldSetGravity(world_, 0, 0, -9.81);
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    for (const Solid& s : scene.solids) add(s);
  }
  void step() override {
    dSpaceCollide(space_, this, &Ode::near);
    dWorldQuickStep(world_, step_);
    dJointGroupEmpty(contacts_);
  }
  std::vector<Motion> motions() const override {
    std::vector<Motion> out;
    for (const dBodyID body : bodies_) {
      const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body),
                  *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
      out.push_back({p[0], p[1], p[2], q[0], q[1], q[2], q[3], v[0], v[1], v[2], w[0], w[1], w[2]});
    }
    return out;
  }

 private:
  void add(const Solid& s) {
    const dQuaternion turn = {s.turn[0], s.turn[1], s.turn[2], s.turn[3]};
    if (s.kind == SolidKind::plane) {
      dMatrix3 r;
      dQtoR(turn, r);
      dCreatePlane(space_, r[2], r[6], r[10], 0);  // planes of the race hold the origin
      return;
    }
    const dGeomID geom = dCreateBox(space_, 2 * s.half[0], 2 * s.half[1], 2 * s.half[2]);
    if (s.mass > 0) {
      const dBodyID body = dBodyCreate(world_);
      dMass mass;
      dMassSetParameters(&mass, s.mass, 0, 0, 0, s.inertia[0], s.inertia[1], s.inertia[2], 0, 0, 0);
      dBodySetMass(body, &mass);
      dGeomSetBody(geom, body);
      bodies_.push_back(body);
    }
    dGeomSetPosition(geom, s.position[0], s.position[1], s.position[2]);
    dGeomSetQuaternion(geom, turn);
  }
  static void near(void* self, dGeomID a, dGeomID b) {
    Ode& ode = *static_cast<Ode*>(self);
    if (dGeomGetBody(a) == nullptr && dGeomGetBody(b) == nullptr) return;
    dContact contact[8];
    const int n = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < n; ++i) {
      contact[i].surface = {};
      contact[i].surface.mode = dContactApprox1;
      contact[i].surface.mu = ode.friction_;
      dJointAttach(dJointCreateContact(ode.world_, ode.contacts_, &contact[i]), dGeomGetBody(a),
                   dGeomGetBody(b));
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
  double step_ = 0, friction_ = 0;
};

}  // namespace

int main() {
  Ode ode;
  return serve(ode);
}
