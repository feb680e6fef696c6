// Bullet in double precision in the race of engines: sequential impulses, 10 iterations, split
// impulses, margins of 40 mm, all as it comes. Hulls are shrunk by the margin, as Bullet asks.
// Bodies never sleep. Debian builds it without threads.
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <LinearMath/btConvexHullComputer.h>

#include <cmath>
#include <memory>

#include "participant.h"

namespace {

btVector3 vector(const Three& p) { return {p[0], p[1], p[2]}; }
btTransform pose(const Three& position, const Turn& q) {
  return btTransform(btQuaternion(q[1], q[2], q[3], q[0]), vector(position));
}

std::unique_ptr<btCollisionShape> hull_of(const Shape& s) {
  auto shape = std::make_unique<btConvexHullShape>();
  btConvexHullComputer computer;
  computer.compute(s.vertices[0].data(), sizeof(Three), static_cast<int>(s.vertices.size()),
                   shape->getMargin(), 0.5);
  for (int i = 0; i < computer.vertices.size(); ++i) shape->addPoint(computer.vertices[i], false);
  shape->recalcLocalAabb();
  return shape;
}

std::unique_ptr<btCollisionShape> shape_of(const Shape& s) {
  const double r = s.half[0], half = s.half[1];
  switch (s.kind) {
    case ShapeKind::box:
      return std::make_unique<btBoxShape>(vector(s.half));
    case ShapeKind::hull:
      return hull_of(s);
    case ShapeKind::sphere:
      return std::make_unique<btSphereShape>(r);
    case ShapeKind::capsule:
      return std::make_unique<btCapsuleShapeZ>(r, 2 * half);
    case ShapeKind::cylinder:
      return std::make_unique<btCylinderShapeZ>(btVector3(r, r, half));
    case ShapeKind::plane:
      break;
  }
  return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
}

class World {
 public:
  explicit World(const EngineScene& scene)
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_),
        step_(scene.step) {
    gravity({0, 0, -9.81});
    for (const Solid& s : scene.solids) add(s, scene);
    for (const Joint& j : scene.joints) add(j);
  }
  ~World() {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  void gravity(const Three& g) { world_.setGravity(vector(g)); }
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
  btCollisionShape* keep(std::unique_ptr<btCollisionShape> shape) {
    shapes_.push_back(std::move(shape));
    return shapes_.back().get();
  }
  btCollisionShape* shape_of_solid(const Solid& s) {
    if (s.shapes.size() == 1) return keep(shape_of(s.shapes[0]));
    auto all = std::make_unique<btCompoundShape>();
    for (const Shape& shape : s.shapes)
      all->addChildShape(pose(shape.position, shape.turn), keep(shape_of(shape)));
    return keep(std::move(all));
  }
  void add(const Solid& s, const EngineScene& scene) {
    btRigidBody::btRigidBodyConstructionInfo info(s.mass, nullptr, shape_of_solid(s),
                                                  vector(s.inertia));
    info.m_startWorldTransform = pose(s.position, s.turn);
    info.m_friction = std::sqrt(scene.friction);  // Bullet multiplies both
    auto body = std::make_unique<btRigidBody>(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    if (scene.collides)
      world_.addRigidBody(body.get());
    else
      world_.addRigidBody(body.get(), 1, 0);
    bodies_.push_back(std::move(body));
  }
  void add(const Joint& j) {
    btRigidBody &a = j.a < 0 ? btTypedConstraint::getFixedBody()
                             : *bodies_[static_cast<std::size_t>(j.a)],
                &b = *bodies_[static_cast<std::size_t>(j.b)];
    const btTransform to_a = a.getWorldTransform().inverse(),
                      to_b = b.getWorldTransform().inverse();
    const btVector3 p = vector(j.anchor), axis = vector(j.axis);
    if (j.axis == Three{})
      joints_.push_back(std::make_unique<btPoint2PointConstraint>(a, b, to_a * p, to_b * p));
    else
      joints_.push_back(std::make_unique<btHingeConstraint>(
          a, b, to_a * p, to_b * p, to_a.getBasis() * axis, to_b.getBasis() * axis));
    world_.addConstraint(joints_.back().get(), true);
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  double step_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

class Bullet final : public Participant {
 public:
  std::string engine() const override {
    return "Bullet " + std::to_string(btGetVersion() / 100) + "." +
           std::to_string(btGetVersion() % 100);
  }
  std::vector<std::string> methods() const override { return {"double"}; }
  void load(const EngineScene& scene, int, int) override {
    world_.reset();
    world_ = std::make_unique<World>(scene);
  }
  void gravity(const Three& g) override { world_->gravity(g); }
  void step() override { world_->step(); }
  std::vector<Motion> motions() override { return world_->motions(); }

 private:
  std::unique_ptr<World> world_;
};

}  // namespace

int main() {
  Bullet bullet;
  return serve(bullet);
}
