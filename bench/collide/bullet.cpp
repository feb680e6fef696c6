// Bullet, in double precision, in the race of distance queries: its GjkEpaSolver2.
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <LinearMath/btScalar.h>

#include <limits>
#include <memory>

#include "participant.h"

namespace {

struct Prepared {
  const btConvexShape *a, *b;
  btTransform X_WA, X_WB;
  bool coherent, first, apart;
  bool second = false;  // of a path: starts from what the first one left
  btVector3 start = {0, 0, 0};
};

btVector3 vector(const Point& p) { return {p[0], p[1], p[2]}; }

btTransform transform(const Placement& X) {
  const auto& q = X.quaternion;
  return btTransform(btQuaternion(q[1], q[2], q[3], q[0]), vector(X.position));
}

class Bullet : public Participant {
 public:
  std::string engine() const override {
    return "Bullet " + std::to_string(btGetVersion() / 100) + "." +
           std::to_string(btGetVersion() % 100);
  }
  std::vector<std::string> methods() const override { return {"GjkEpa2"}; }

  void load(const Scene& scene) override {
    for (const Solid& solid : scene.solids) {
      auto shape = std::make_unique<btConvexHullShape>();
      for (const Point& v : solid.vertices) shape->addPoint(vector(v), false);
      shape->recalcLocalAabb();
      shape->setMargin(0);
      shapes_.push_back(std::move(shape));
    }
    queries_ = prepared<Prepared>(scene, [&](const QuerySet& set, const Query& q) {
      return Prepared{shapes_[static_cast<std::size_t>(q.a)].get(),
                      shapes_[static_cast<std::size_t>(q.b)].get(),
                      transform(q.X_WA),
                      transform(q.X_WB),
                      set.motion > 0,
                      q.first != 0,
                      set.apart != 0};
    });
    for (std::size_t s = 0; s < queries_.size(); ++s)
      for (std::size_t i = 1; i < queries_[s].size(); ++i)
        if (queries_[s][i].coherent && queries_[s][i - 1].first) {
          query(0, static_cast<int>(s), static_cast<int>(i) - 1);
          queries_[s][i].second = true;
          queries_[s][i].start = guess_;
        }
  }

  double query(int, int set, int i) override {
    const Prepared& q = queries_[static_cast<std::size_t>(set)][static_cast<std::size_t>(i)];
    // the guess that Bullet itself uses cold: from centre to centre
    if (!q.coherent || q.first) guess_ = q.X_WB.getOrigin() - q.X_WA.getOrigin();
    if (q.second) guess_ = q.start;
    btGjkEpaSolver2::sResults results;
    results.distance = 0;
    const bool ok =
        q.apart ? btGjkEpaSolver2::Distance(q.a, q.X_WA, q.b, q.X_WB, guess_, results)
                : btGjkEpaSolver2::Penetration(q.a, q.X_WA, q.b, q.X_WB, guess_, results, false);
    if (!ok) return std::numeric_limits<double>::quiet_NaN();
    if (q.coherent) guess_ = results.normal;
    return results.distance;
  }

 private:
  std::vector<std::unique_ptr<btConvexHullShape>> shapes_;
  std::vector<std::vector<Prepared>> queries_;
  btVector3 guess_;
};

}  // namespace

int main() {
  Bullet bullet;
  return serve(bullet);
}
