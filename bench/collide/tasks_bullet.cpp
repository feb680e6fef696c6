// Bullet's part of the tasks: boxes at rest through its dispatcher, and its tree of boxes.
#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>

#include <memory>

#include "boxes.h"
#include "tasks.h"

namespace {

btVector3 vector(const Point& p) { return {p[0], p[1], p[2]}; }

struct Body {
  Body(const Point& half, const Placement& X) : shape(vector(half)) {
    const auto& q = X.quaternion;
    object.setCollisionShape(&shape);
    object.setWorldTransform(btTransform(btQuaternion(q[1], q[2], q[3], q[0]), vector(X.position)));
  }
  btBoxShape shape;
  btCollisionObject object;
};

class Boxes {
 public:
  explicit Boxes(const std::vector<RestingPair>& pairs) : dispatcher_(&configuration_) {
    for (const RestingPair& pair : pairs) {
      Meeting& m = meetings_.emplace_back();
      m.a = std::make_unique<Body>(pair.half_a, pair.X_WA);
      m.b = std::make_unique<Body>(pair.half_b, pair.X_WB);
      const Wrapped w(m);
      m.algorithm = dispatcher_.findAlgorithm(&w.a, &w.b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    }
  }

  // the mean number of points
  double run() {
    int points = 0;
    for (Meeting& m : meetings_) {
      const Wrapped w(m);
      btManifoldResult result(&w.a, &w.b);
      m.algorithm->processCollision(&w.a, &w.b, info_, &result);
      points += result.getPersistentManifold()->getNumContacts();
    }
    return static_cast<double>(points) / static_cast<double>(meetings_.size());
  }

 private:
  struct Meeting {
    std::unique_ptr<Body> a, b;
    btCollisionAlgorithm* algorithm = nullptr;  // lives as long as the program
  };
  struct Wrapped {
    explicit Wrapped(const Meeting& m)
        : a(nullptr, &m.a->shape, &m.a->object, m.a->object.getWorldTransform(), -1, -1),
          b(nullptr, &m.b->shape, &m.b->object, m.b->object.getWorldTransform(), -1, -1) {}
    btCollisionObjectWrapper a, b;
  };
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDispatcherInfo info_;
  std::vector<Meeting> meetings_;
};

class Broad {
 public:
  explicit Broad(int count) : boxes_(count), dispatcher_(&configuration_) {
    for (int i = 0; i < count; ++i) {
      const btVector3 at = vector(boxes_.position(i, 0));
      const btVector3 half = vector(boxes_.half[static_cast<std::size_t>(i)]);
      proxies_.push_back(broad_.createProxy(at - half, at + half, BOX_SHAPE_PROXYTYPE, nullptr, 1,
                                            1, &dispatcher_));
    }
  }

  // the number of pairs, those of its enlarged leaves among them
  double run() {
    ++step_;
    for (int i = 0; i < boxes_.count(); ++i) {
      const btVector3 at = vector(boxes_.position(i, step_));
      const btVector3 half = vector(boxes_.half[static_cast<std::size_t>(i)]);
      broad_.setAabb(proxies_[static_cast<std::size_t>(i)], at - half, at + half, &dispatcher_);
    }
    broad_.calculateOverlappingPairs(&dispatcher_);
    return broad_.getOverlappingPairCache()->getNumOverlappingPairs();
  }

 private:
  FlyingBoxes boxes_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_;
  std::vector<btBroadphaseProxy*> proxies_;
  int step_ = 0;
};

}  // namespace

int main() {
  Boxes boxes(resting_boxes(64));
  Broad broad(10000);
  return serve_tasks(
      "Bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100),
      {{task_name::kBoxPatch, 64, [&] { return boxes.run(); }},
       {task_name::kBroadPhase, 1, [&] { return broad.run(); }}});
}
