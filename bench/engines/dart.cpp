// DART in the race of engines: its boxed LCP by Dantzig with projected Gauss-Seidel behind it, as
// it comes, but for the detector: its own, the one with several points a pair. That knows boxes and
// balls, so planes are large boxes. dart/dart.hpp includes a header that Debian does not ship.
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/config.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "participant.h"

namespace {

using namespace dart;
using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr std::size_t kMost = 250;  // solids: with more, one step takes minutes

Vector3d vector(const Three& v) { return {v[0], v[1], v[2]}; }
Isometry3d pose(const Three& position, const Turn& q) {
  Isometry3d X = Isometry3d::Identity();
  X.translation() = vector(position);
  X.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  return X;
}

class Dart final : public Participant {
 public:
  std::string engine() const override { return "DART " DART_VERSION; }
  std::vector<std::string> methods() const override { return {"default"}; }

  void load(const EngineScene& scene, int, int) override {
    for (const ShapeKind kind : {ShapeKind::hull, ShapeKind::capsule, ShapeKind::cylinder})
      if (scene.collides && uses(scene, kind))
        throw std::invalid_argument(
            "its detector with several points a pair knows boxes and balls only");
    if (scene.solids.size() > kMost)
      throw std::invalid_argument("one step of more than 250 solids takes minutes");
    world_ = simulation::World::create();
    world_->setTimeStep(scene.step);
    gravity({0, 0, -9.81});
    world_->getConstraintSolver()->setCollisionDetector(collision::DARTCollisionDetector::create());
    // its default of 1000 would lose contacts
    world_->getConstraintSolver()->getCollisionOption().maxNumContacts = 20 * kMost;
    nodes_.clear();
    bodies_.clear();
    joints_.assign(scene.solids.size(), nullptr);
    for (const Joint& j : scene.joints) joints_[static_cast<std::size_t>(j.b)] = &j;
    for (std::size_t i = 0; i < scene.solids.size(); ++i) add(scene, i);
    for (const auto& skeleton : skeletons_) {
      skeleton->disableAdjacentBodyCheck();
      world_->addSkeleton(skeleton);
    }
    skeletons_.clear();
  }
  void gravity(const Three& g) override { world_->setGravity(vector(g)); }
  void step() override { world_->step(); }
  std::vector<Motion> motions() override {
    std::vector<Motion> out;
    for (const dynamics::BodyNode* body : bodies_) {
      const Isometry3d& X = body->getTransform();
      const Eigen::Quaterniond q(X.rotation());
      const Vector3d p = X.translation(), v = body->getLinearVelocity(),
                     w = body->getAngularVelocity();
      out.push_back(
          {p[0], p[1], p[2], q.w(), q.x(), q.y(), q.z(), v[0], v[1], v[2], w[0], w[1], w[2]});
    }
    return out;
  }

 private:
  void add(const EngineScene& scene, std::size_t i) {
    const Solid& s = scene.solids[i];
    const Isometry3d X = pose(s.position, s.turn);
    dynamics::BodyNode* body = nullptr;
    if (s.mass == 0) {
      auto [joint, node] = skeleton(i)->createJointAndBodyNodePair<dynamics::WeldJoint>();
      joint->setTransformFromParentBodyNode(X);
      body = node;
    } else if (joints_[i] == nullptr) {
      auto [joint, node] = skeleton(i)->createJointAndBodyNodePair<dynamics::FreeJoint>();
      joint->setTransform(X);
      body = node;
    } else {
      body = joined(scene, *joints_[i], X);
    }
    if (scene.collides)
      for (const Shape& shape : s.shapes) add(shape, body, scene.friction);
    nodes_.push_back(body);
    if (s.mass == 0) return;
    dynamics::Inertia inertia;
    inertia.setMass(s.mass);
    inertia.setMoment(vector(s.inertia).asDiagonal().toDenseMatrix());
    body->setInertia(inertia);
    bodies_.push_back(body);
  }
  dynamics::SkeletonPtr skeleton(std::size_t i) {
    skeletons_.push_back(dynamics::Skeleton::create("s" + std::to_string(i)));
    return skeletons_.back();
  }
  dynamics::BodyNode* joined(const EngineScene& scene, const Joint& j, const Isometry3d& X) {
    dynamics::BodyNode* parent = j.a < 0 ? nullptr : nodes_[static_cast<std::size_t>(j.a)];
    const dynamics::SkeletonPtr to =
        parent == nullptr ? skeleton(static_cast<std::size_t>(j.b)) : parent->getSkeleton();
    Isometry3d at = Isometry3d::Identity(), from = Isometry3d::Identity();
    at.translation() = vector(j.anchor);
    if (j.a >= 0) {
      const Solid& p = scene.solids[static_cast<std::size_t>(j.a)];
      from = pose(p.position, p.turn);
    }
    const auto place = [&](dynamics::Joint* joint) {
      joint->setTransformFromParentBodyNode(from.inverse() * at);
      joint->setTransformFromChildBodyNode(X.inverse() * at);
    };
    if (j.axis == Three{}) {
      auto [joint, node] = to->createJointAndBodyNodePair<dynamics::BallJoint>(parent);
      place(joint);
      return node;
    }
    auto [joint, node] = to->createJointAndBodyNodePair<dynamics::RevoluteJoint>(parent);
    place(joint);
    joint->setAxis(vector(j.axis));
    return node;
  }
  static void add(const Shape& s, dynamics::BodyNode* body, double friction) {
    constexpr double kWide = 100, kDeep = 2;  // m: of the box that is a plane
    dynamics::ShapePtr shape;
    Isometry3d X = pose(s.position, s.turn);
    if (s.kind == ShapeKind::sphere) {
      shape = std::make_shared<dynamics::SphereShape>(s.half[0]);
    } else if (s.kind == ShapeKind::box) {
      shape = std::make_shared<dynamics::BoxShape>(2 * vector(s.half));
    } else {
      shape = std::make_shared<dynamics::BoxShape>(Vector3d(kWide, kWide, kDeep));
      X.translation() -= X.linear().col(2) * (kDeep / 2);
    }
    const auto node =
        body->createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(shape);
    node->setRelativeTransform(X);
    node->getDynamicsAspect()->setFrictionCoeff(friction);
  }

  simulation::WorldPtr world_;
  std::vector<dynamics::SkeletonPtr> skeletons_;     // not yet in the world
  std::vector<const Joint*> joints_;                 // whose b the solid is
  std::vector<dynamics::BodyNode*> nodes_, bodies_;  // of all solids, and of those that move
};

}  // namespace

int main() {
  Dart dart;
  return serve(dart);
}
