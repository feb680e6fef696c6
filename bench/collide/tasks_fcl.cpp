// FCL's part of the tasks: its dynamic tree of boxes.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>

#include <memory>

#include "boxes.h"
#include "tasks.h"

namespace {

fcl::Vector3d vector(const Point& p) { return {p[0], p[1], p[2]}; }

class Broad {
 public:
  explicit Broad(int count) : boxes_(count) {
    for (int i = 0; i < count; ++i) {
      const fcl::Vector3d size = 2 * vector(boxes_.half[static_cast<std::size_t>(i)]);
      objects_.push_back(
          std::make_unique<fcl::CollisionObjectd>(std::make_shared<fcl::Boxd>(size)));
      place(i);
      manager_.registerObject(objects_.back().get());
    }
    manager_.setup();
  }

  // the number of pairs
  double run() {
    ++step_;
    for (int i = 0; i < boxes_.count(); ++i) place(i);
    manager_.update();
    long pairs = 0;
    manager_.collide(&pairs, [](fcl::CollisionObjectd*, fcl::CollisionObjectd*, void* count) {
      ++*static_cast<long*>(count);
      return false;
    });
    return static_cast<double>(pairs);
  }

 private:
  void place(int i) {
    fcl::CollisionObjectd& object = *objects_[static_cast<std::size_t>(i)];
    object.setTranslation(vector(boxes_.position(i, step_)));
    object.computeAABB();
  }

  FlyingBoxes boxes_;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
  int step_ = 0;
};

}  // namespace

int main() {
  Broad broad(10000);
  return serve_tasks("FCL " FCL_VERSION,
                     {{task_name::kBroadPhase, 1, [&] { return broad.run(); }}});
}
