// DART's part in the race of boxes: its boxed LCP by Dantzig, and by projected Gauss-Seidel.
// dart/dart.hpp includes a header that Debian does not ship
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/config.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "participant.h"

namespace {

using namespace dart;

class Dart final : public Participant {
 public:
  std::string engine() const override { return "DART " DART_VERSION; }
  std::vector<std::string> methods() const override { return {"Dantzig", "PGS"}; }

  void load(const Boxes& scene, int method) override {
    world_ = simulation::World::create();
    world_->setTimeStep(scene.step);
    world_->setGravity({0, 0, -9.81});
    if (method == 0) {
      world_->setConstraintSolver(std::make_unique<constraint::BoxedLcpConstraintSolver>(
          std::make_shared<constraint::DantzigBoxedLcpSolver>()));
    } else {
      world_->setConstraintSolver(std::make_unique<constraint::BoxedLcpConstraintSolver>(
          std::make_shared<constraint::PgsBoxedLcpSolver>()));
    }
    world_->getConstraintSolver()->setCollisionDetector(collision::DARTCollisionDetector::create());

    const auto floor = dynamics::Skeleton::create("floor");
    const auto fixed = floor->createJointAndBodyNodePair<dynamics::WeldJoint>().second;
    // its own detector, the one that makes several points a pair, knows boxes and no planes
    add_shape(fixed, std::make_shared<dynamics::BoxShape>(Eigen::Vector3d(100, 100, 2)),
              scene.friction);
    Eigen::Isometry3d below = Eigen::Isometry3d::Identity();
    below.translation().z() = -1;
    fixed->getParentJoint()->setTransformFromParentBodyNode(below);
    world_->addSkeleton(floor);
    bodies_.clear();
    for (const Boxes::Box& b : scene.boxes) {
      const auto skeleton = dynamics::Skeleton::create("box" + std::to_string(bodies_.size()));
      const auto pair = skeleton->createJointAndBodyNodePair<dynamics::FreeJoint>();
      const Eigen::Vector3d size = 2 * Eigen::Vector3d(b.half[0], b.half[1], b.half[2]);
      const auto shape = std::make_shared<dynamics::BoxShape>(size);
      add_shape(pair.second, shape, scene.friction);
      dynamics::Inertia inertia;
      inertia.setMass(b.mass);
      inertia.setMoment(shape->computeInertia(b.mass));
      pair.second->setInertia(inertia);
      Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
      X.translation() = Eigen::Vector3d(b.position[0], b.position[1], b.position[2]);
      pair.first->setTransform(X);
      world_->addSkeleton(skeleton);
      bodies_.push_back(pair.second);
    }
  }
  void step() override { world_->step(); }
  BoxPose pose(int box) const override {
    const Eigen::Isometry3d& X = bodies_[static_cast<std::size_t>(box)]->getTransform();
    const Eigen::Quaterniond q(X.rotation());
    return {X.translation()[0], X.translation()[1], X.translation()[2], q.w(), q.x(), q.y(), q.z()};
  }

 private:
  static void add_shape(dynamics::BodyNode* body, const dynamics::ShapePtr& shape,
                        double friction) {
    const auto node =
        body->createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(shape);
    node->getDynamicsAspect()->setFrictionCoeff(friction);
  }

  simulation::WorldPtr world_;
  std::vector<dynamics::BodyNode*> bodies_;
};

}  // namespace

int main() {
  Dart dart;
  return serve(dart);
}
