// Bullet in double precision in the race of engines: sequential impulses, 10 iterations, split
// impulses, margins of 40 mm, all as it comes. Hulls are shrunk by the margin, as Bullet asks.
// Bodies never sleep.
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <LinearMath/btConvexHullComputer.h>

#include <cmath>
#include <memory>

#include "participant.h"

namespace {

btVector3 vector(const Three& p) { return {p[0], p[1], p[2]}; }

std::unique_ptr<btCollisionShape> hull_of(const Solid& s) {
  auto shape = std::make_unique<btConvexHullShape>();
  btConvexHullComputer computer;
  computer.compute(s.vertices[0].data(), sizeof(Three), static_cast<int>(s.vertices.size()),
                   shape->getMargin(), 0.5);
  for (int i = 0; i < computer.vertices.size(); ++i) shape->addPoint(computer.vertices[i], false);
  shape->recalcLocalAabb();
  return shape;
}

std::unique_ptr<btCollisionShape> shape_of(const Solid& s) {
  if (s.kind == SolidKind::box) return std::make_unique<btBoxShape>(vector(s.half));
  if (s.kind == SolidKind::hull) return hull_of(s);
  return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
}

class World {
 public:
  explicit World(const EngineScene& scene)
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_),
        step_(scene.step) {
    world_.setGravity({0, 0, -9.81});
    for (const Solid& s : scene.solids) add(s, scene.friction);
  }
  ~World() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  void step() { world_.stepSimulation(step_, 0); }
  std::vector<Motion> motions() const {
    std::vector<Motion> out;
    for (const auto& body : bodies_) {
      if (body->isStaticObject()) continue;
      const btTransform& X = body->getWorldTransform();
      const btVector3 &p = X.getOrigin(), &v = body->getLinearVelocity(),
                      &w = body->getAngularVelocity();
      const btQuaternion q = X.getRotation();
      out.push_back({p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z(), v.x(), v.y(), v.z(), w.x(),
                     w.y(), w.z()});
    }
    return out;
  }

 private:
  void add(const Solid& s, double friction) {
    shapes_.push_back(shape_of(s));
    btRigidBody::btRigidBodyConstructionInfo info(s.mass, nullptr, shapes_.back().get(),
                                                  vector(s.inertia));
    info.m_startWorldTransform =
        btTransform(btQuaternion(s.turn[1], s.turn[2], s.turn[3], s.turn[0]), vector(s.position));
    info.m_friction = std::sqrt(friction);  // Bullet multiplies both
    auto body = std::make_unique<btRigidBody>(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(body.get());
    bodies_.push_back(std::move(body));
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  double step_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

class Bullet final : public Participant {
 public:
  std::string engine() const override {
    return "Bullet " + std::to_string(btGetVersion() / 100) + "." +
           std::to_string(btGetVersion() % 100);
  }
  std::vector<std::string> methods() const override { return {"double"}; }
  void load(const EngineScene& scene, int) override {
    world_.reset();
    world_ = std::make_unique<World>(scene);
  }
  void step() override { world_->step(); }
  std::vector<Motion> motions() const override { return world_->motions(); }

 private:
  std::unique_ptr<World> world_;
};

}  // namespace

int main() {
  Bullet bullet;
  return serve(bullet);
}
