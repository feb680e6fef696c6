#include "pairs.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "abut/math/transform.h"
#include "abut/shape/hull.h"
#include "abut/shape/primitives.h"
#include "tests/support/exact_proximity.h"

#include "solids.h"

namespace {

using abut::Pose;
using abut::Quat;
using abut::Vec3;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) * 0x1p-32);
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }
  Quat rotation() { return Quat(Eigen::AngleAxisd(uniform(0, 3), direction())); }

 private:
  std::mt19937 engine_;
};

abut::Polyhedron random_solid(Random& r, int vertices) {
  const Vec3 half(r.uniform(0.3, 0.5), r.uniform(0.3, 0.5), r.uniform(0.3, 0.5));
  if (vertices == 8) return abut::box_polyhedron(half);
  std::vector<Vec3> points;
  for (int i = 0; i < vertices; ++i) points.push_back(half.cwiseProduct(r.direction()));
  return abut::convex_hull(points);
}

struct Pair {
  const abut::Polyhedron *A, *B;
  Pose X_WA, X_WB;

  abut::test::Exact exact(const Vec3& guess_W = Vec3::Zero()) const {
    const Vec3 guess = X_WA.q.conjugate() * guess_W;
    abut::test::Exact e = abut::test::exact_proximity(*A, *B, relative(X_WA, X_WB), guess);
    e.normal = X_WA.q * e.normal;
    return e;
  }
};

// Lets B come down on A from somewhere, and then moves it along the normal until the
// distance is `wanted`: exactly when apart; an overlap can come out less deep.
void bring_near(Random& r, Pair& pair, double wanted) {
  pair.X_WA = {Vec3(r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)), r.rotation()};
  const Vec3 way = r.direction();
  pair.X_WB = {pair.X_WA.p + 3 * way, r.rotation()};
  abut::test::Exact e;
  for (int i = 0; i < 50; ++i) {
    e = pair.exact();
    if (e.distance() < 1e-4) break;
    pair.X_WB.p -= 0.9 * e.distance() * way;
  }
  pair.X_WB.p += (wanted - e.distance()) * e.normal;
}

double wanted_distance(Random& r, bool apart) {
  return (apart ? 1 : -1) * std::pow(10, r.uniform(-3, -1.2));
}

}  // namespace

Scene make_pairs(const ScenePlan& plan) {
  Scene scene;
  for (const int vertices : plan.vertices) {
    Random r(static_cast<unsigned>(vertices));  // each size the same, whatever others there are
    std::vector<abut::Polyhedron> solids;
    const auto first_solid = static_cast<std::int32_t>(scene.solids.size());
    for (int i = 0; i < plan.solids; ++i) {
      solids.push_back(random_solid(r, vertices));
      scene.solids.push_back(solid(solids.back()));
    }
    const auto pair_of = [&](int i) {
      return Pair{&solids[static_cast<std::size_t>(i % plan.solids)],
                  &solids[static_cast<std::size_t>((i + 1 + i / plan.solids) % plan.solids)],
                  {},
                  {}};
    };
    const auto query = [&](const Pair& pair, bool first) {
      return Query{first_solid + static_cast<std::int32_t>(pair.A - solids.data()),
                   first_solid + static_cast<std::int32_t>(pair.B - solids.data()),
                   first,
                   0,
                   placement(pair.X_WA),
                   placement(pair.X_WB)};
    };
    for (const bool apart : {true, false}) {
      const char* what = apart ? "distance" : "penetration";
      QuerySet set{fmt::format("cold {}", what), vertices, apart, 0, {}};
      for (int i = 0; i < plan.cold; ++i) {
        Pair pair = pair_of(i);
        bring_near(r, pair, wanted_distance(r, apart));
        set.queries.push_back(query(pair, true));
      }
      scene.sets.push_back(set);

      for (const double motion : plan.motions) {
        set = {fmt::format("coherent {} {:.0e}", what, motion), vertices, apart, motion, {}};
        for (int path = 0; path < plan.paths; ++path) {
          Pair pair = pair_of(path);
          const double wanted = wanted_distance(r, apart);
          bring_near(r, pair, wanted);
          const Vec3 axis = r.direction(), slide = r.direction();
          abut::test::Exact e = pair.exact();
          for (int step = 0; step < plan.steps; ++step) {
            set.queries.push_back(query(pair, step == 0));
            pair.X_WB.q = Quat(Eigen::AngleAxisd(motion, axis)) * pair.X_WB.q;
            pair.X_WB.q.normalize();
            pair.X_WB.p += motion * slide;
            e = pair.exact(e.normal);
            const double swing = wanted * (1 + 0.3 * std::sin(100 * motion * step));
            pair.X_WB.p += (swing - e.distance()) * e.normal;
          }
        }
        scene.sets.push_back(set);
      }
    }
  }
  return scene;
}

std::vector<double> exact_distances(const Scene& scene, const QuerySet& set) {
  std::vector<abut::Polyhedron> solids(scene.solids.size());
  const auto get = [&](std::int32_t i) {
    abut::Polyhedron& p = solids[static_cast<std::size_t>(i)];
    if (p.vertices.empty()) p = polyhedron(scene.solids[static_cast<std::size_t>(i)]);
    return &p;
  };
  std::vector<double> out;
  Vec3 guess = Vec3::Zero();
  for (const Query& q : set.queries) {
    const Pair pair{get(q.a), get(q.b), pose(q.X_WA), pose(q.X_WB)};
    const abut::test::Exact e = pair.exact(guess);
    guess = e.normal;
    out.push_back(e.distance());
  }
  return out;
}
