// FCL in the race of distance queries, with libccd and with its own GJK and EPA. The
// tolerances are FCL's defaults.
#include <fcl/config.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <memory>

#include "participant.h"

namespace {

using Shape = fcl::Convexd;

struct Prepared {
  const Shape *a, *b;
  fcl::Transform3d X_WA, X_WB;
  bool coherent, first, apart;
  bool second = false;  // of a path: starts from what the first one left
  std::array<fcl::Vector3d, 2> start = {};
};

fcl::Transform3d transform(const Placement& X) {
  const auto& q = X.quaternion;
  fcl::Transform3d out = fcl::Transform3d::Identity();
  out.linear() = fcl::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  out.translation() = fcl::Vector3d(X.position[0], X.position[1], X.position[2]);
  return out;
}

class Fcl : public Participant {
 public:
  std::string engine() const override { return "FCL " FCL_VERSION; }
  std::vector<std::string> methods() const override { return {"libccd", "indep"}; }

  void load(const Scene& scene) override {
    for (const Solid& solid : scene.solids) {
      auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
      for (const Point& v : solid.vertices) vertices->emplace_back(v[0], v[1], v[2]);
      int count = 0;
      for (std::size_t i = 0; i < solid.faces.size();
           i += static_cast<std::size_t>(solid.faces[i]) + 1)
        ++count;
      const auto faces =
          std::make_shared<const std::vector<int>>(solid.faces.begin(), solid.faces.end());
      shapes_.push_back(std::make_unique<Shape>(vertices, count, faces));
      shapes_.back()->computeLocalAABB();
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
    for (const fcl::GJKSolverType solver : {fcl::GST_LIBCCD, fcl::GST_INDEP}) {
      const auto k = static_cast<std::size_t>(solver == fcl::GST_INDEP);
      distance_[k].gjk_solver_type = solver;
      distance_[k].enable_nearest_points = true;
      collision_[k].gjk_solver_type = solver;
      collision_[k].enable_contact = true;
      collision_[k].num_max_contacts = 1;
    }
    for (std::size_t s = 0; s < queries_.size(); ++s)
      for (std::size_t i = 1; i < queries_[s].size(); ++i)
        if (queries_[s][i].coherent && queries_[s][i - 1].first) {
          for (std::size_t method = 0; method < 2; ++method) {
            query(static_cast<int>(method), static_cast<int>(s), static_cast<int>(i) - 1);
            queries_[s][i].start[method] = guess_;
          }
          queries_[s][i].second = true;
        }
  }

  double query(int method, int set, int i) override {
    const Prepared& q = queries_[static_cast<std::size_t>(set)][static_cast<std::size_t>(i)];
    const auto k = static_cast<std::size_t>(method);
    if (q.apart) {
      fcl::DistanceResultd result;
      const double distance = fcl::distance(q.a, q.X_WA, q.b, q.X_WB, distance_[k], result);
      return distance > 0 ? distance : std::numeric_limits<double>::quiet_NaN();
    }
    fcl::CollisionRequestd& request = collision_[k];
    request.enable_cached_gjk_guess = q.coherent;
    if (q.coherent)
      request.cached_gjk_guess = q.first ? fcl::Vector3d::UnitX() : q.second ? q.start[k] : guess_;
    fcl::CollisionResultd result;
    fcl::collide(q.a, q.X_WA, q.b, q.X_WB, request, result);
    guess_ = result.cached_gjk_guess;
    if (!result.isCollision() || result.numContacts() == 0)
      return std::numeric_limits<double>::quiet_NaN();
    // its own solver gives the depth with the other sign than libccd's
    return -std::abs(result.getContact(0).penetration_depth);
  }

 private:
  std::vector<std::unique_ptr<Shape>> shapes_;
  std::vector<std::vector<Prepared>> queries_;
  std::array<fcl::DistanceRequestd, 2> distance_;
  std::array<fcl::CollisionRequestd, 2> collision_;
  fcl::Vector3d guess_ = fcl::Vector3d::UnitX();
};

}  // namespace

int main() {
  Fcl fcl;
  return serve(fcl);
}
