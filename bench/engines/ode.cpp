// ODE in the race of engines: QuickStep with its 20 sweeps, at most 8 points a pair, as it comes.
#include <ode/ode.h>

#include <cstdarg>
#include <memory>
#include <stdexcept>
#include <thread>

#include "participant.h"
#include "scene_parts.h"

namespace {

// Threads that ODE's steps use, as long as this lives.
class Threads {
 public:
  Threads(dWorldID world, int count)
      : threading_(dThreadingAllocateMultiThreadedImplementation()),
        pool_(dThreadingAllocateThreadPool(static_cast<unsigned>(count), 0, dAllocateFlagBasicData,
                                           nullptr)) {
    dThreadingThreadPoolServeMultiThreadedImplementation(pool_, threading_);
    dWorldSetStepThreadingImplementation(world, dThreadingImplementationGetFunctions(threading_),
                                         threading_);
    dWorldSetStepIslandsProcessingMaxThreadCount(world, static_cast<unsigned>(count));
  }
  ~Threads() {
    dThreadingImplementationShutdownProcessing(threading_);
    dThreadingFreeThreadPool(pool_);
    dThreadingFreeImplementation(threading_);
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  dThreadingImplementationID threading_;
  dThreadingThreadPoolID pool_;
};

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
  int threads() const override { return static_cast<int>(std::thread::hardware_concurrency()); }

  void load(const EngineScene& scene, int, int threads) override {
    clear();
    if (uses(scene, ShapeKind::hull))
      throw std::invalid_argument("its convex shapes miss contacts with each other");
    if (uses(scene, ShapeKind::cylinder))
      throw std::invalid_argument("Debian's build has no contacts between cylinders");
    step_ = scene.step;
    friction_ = scene.friction;
    collides_ = scene.collides;
    world_ = dWorldCreate();
    if (threads > 1) threads_ = std::make_unique<Threads>(world_, threads);
    gravity({0, 0, -9.81});
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    for (const Solid& s : scene.solids) add(s);
    for (const Joint& j : scene.joints) add(j);
  }
  void gravity(const Three& g) override { dWorldSetGravity(world_, g[0], g[1], g[2]); }
  void step() override {
    if (collides_) dSpaceCollide(space_, this, &Ode::near);
    dWorldQuickStep(world_, step_);
    dJointGroupEmpty(contacts_);
  }
  std::vector<Motion> motions() override {
    std::vector<Motion> out;
    for (const dBodyID body : bodies_) {
      if (body == nullptr) continue;
      const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body),
                  *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
      out.push_back({p[0], p[1], p[2], q[0], q[1], q[2], q[3], v[0], v[1], v[2], w[0], w[1], w[2]});
    }
    return out;
  }

 private:
  void add(const Solid& s) {
    dBodyID body = nullptr;
    if (s.mass > 0) {
      body = dBodyCreate(world_);
      dMass mass;
      dMassSetParameters(&mass, s.mass, 0, 0, 0, s.inertia[0], s.inertia[1], s.inertia[2], 0, 0, 0);
      dBodySetMass(body, &mass);
      dBodySetPosition(body, s.position[0], s.position[1], s.position[2]);
      dBodySetQuaternion(body, s.turn.data());
    }
    bodies_.push_back(body);
    for (const Shape& shape : s.shapes) add(shape, s, body);
  }
  void add(const Shape& shape, const Solid& s, dBodyID body) {
    const Three p = s.position + rotate(s.turn, shape.position);
    const Turn turn = s.turn * shape.turn;
    if (shape.kind == ShapeKind::plane) {
      const Three up = rotate(turn, {0, 0, 1});
      dCreatePlane(space_, up[0], up[1], up[2], 0);  // planes of the race hold the origin
      return;
    }
    const dGeomID geom = geom_of(shape);
    if (body != nullptr) {
      dGeomSetBody(geom, body);
      if (s.shapes.size() == 1) return;
      dGeomSetOffsetPosition(geom, shape.position[0], shape.position[1], shape.position[2]);
      dGeomSetOffsetQuaternion(geom, shape.turn.data());
    } else {
      dGeomSetPosition(geom, p[0], p[1], p[2]);
      dGeomSetQuaternion(geom, turn.data());
    }
  }
  dGeomID geom_of(const Shape& s) {
    if (s.kind == ShapeKind::sphere) return dCreateSphere(space_, s.half[0]);
    if (s.kind == ShapeKind::capsule) return dCreateCapsule(space_, s.half[0], 2 * s.half[1]);
    return dCreateBox(space_, 2 * s.half[0], 2 * s.half[1], 2 * s.half[2]);
  }
  void add(const Joint& j) {
    const dBodyID a = j.a < 0 ? nullptr : bodies_[static_cast<std::size_t>(j.a)],
                  b = bodies_[static_cast<std::size_t>(j.b)];
    const Three &p = j.anchor, &x = j.axis;
    if (x == Three{}) {
      const dJointID joint = dJointCreateBall(world_, nullptr);
      dJointAttach(joint, b, a);
      dJointSetBallAnchor(joint, p[0], p[1], p[2]);
    } else {
      const dJointID joint = dJointCreateHinge(world_, nullptr);
      dJointAttach(joint, b, a);
      dJointSetHingeAnchor(joint, p[0], p[1], p[2]);
      dJointSetHingeAxis(joint, x[0], x[1], x[2]);
    }
  }
  static void near(void* self, dGeomID a, dGeomID b) {
    Ode& ode = *static_cast<Ode*>(self);
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == body_b) return;  // of one solid, or both fixed
    if (body_a != nullptr && body_b != nullptr &&
        dAreConnectedExcluding(body_a, body_b, dJointTypeContact) != 0)
      return;
    dContact contact[8];
    const int n = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < n; ++i) {
      contact[i].surface = {};
      contact[i].surface.mode = dContactApprox1;
      contact[i].surface.mu = ode.friction_;
      dJointAttach(dJointCreateContact(ode.world_, ode.contacts_, &contact[i]), body_a, body_b);
    }
  }
  void clear() {
    if (world_ == nullptr) return;
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    threads_.reset();
    world_ = nullptr;
    bodies_.clear();
  }

  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  std::unique_ptr<Threads> threads_;
  std::vector<dBodyID> bodies_;  // of the solids; null: fixed
  double step_ = 0, friction_ = 0;
  bool collides_ = true;
};

}  // namespace

int main() {
  Ode ode;
  return serve(ode);
}
