// abut in the race of distance queries: proximity(), which is what others use, and beside
// it V-Clip, which knows distances only, and the separating axes, which are quadratic.
#include <limits>

#include "abut/collide/proximity/cold/sat.h"
#include "abut/collide/proximity/cold/vclip.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/version.h"

#include "participant.h"
#include "solids.h"

namespace {

struct Prepared {
  const abut::Convex *a, *b;
  abut::Transform X_WA, X_WB;  // as the others have it: the rotation is a matrix
  bool coherent, first, apart;
  int start = -1;  // the second of a path starts from what the first one left: which
};

struct Start {
  abut::WarmStart warm_start;
  abut::Proximity last;
};

class Abut : public Participant {
 public:
  std::string engine() const override { return "abut " + std::string(abut::version()); }
  std::vector<std::string> methods() const override { return {"proximity", "V-Clip", "SAT"}; }
  bool is_for(int method, const QuerySet& set) const override {
    return method == 0 || (method == 1 && set.apart) ||
           (method == 2 && !set.apart && set.vertices <= 128);
  }

  void load(const Scene& scene) override {
    for (const Solid& solid : scene.solids) solids_.add(polyhedron(solid));
    queries_ = prepared<Prepared>(scene, [&](const QuerySet& set, const Query& q) {
      return Prepared{&solids_[q.a],
                      &solids_[q.b],
                      abut::Transform(pose(q.X_WA)),
                      abut::Transform(pose(q.X_WB)),
                      set.motion > 0,
                      q.first != 0,
                      set.apart != 0};
    });
    for (std::vector<Prepared>& set : queries_)
      for (std::size_t i = 1; i < set.size(); ++i)
        if (set[i].coherent && set[i - 1].first) {
          by_proximity(set[i - 1]);
          by_vclip(set[i - 1]);
          set[i].start = static_cast<int>(starts_.size());
          starts_.push_back({warm_start_, last_});
        }
  }

  double query(int method, int set, int i) override {
    const Prepared& q = queries_[static_cast<std::size_t>(set)][static_cast<std::size_t>(i)];
    const double distance = method == 0 ? by_proximity(q) : method == 1 ? by_vclip(q) : by_axes(q);
    return (distance > 0) == q.apart ? distance : kNone;
  }

 private:
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  double by_proximity(const Prepared& q) {
    if (q.first) warm_start_ = {};
    if (q.start >= 0) warm_start_ = starts_[static_cast<std::size_t>(q.start)].warm_start;
    return proximity(abut::PlacedConvex{*q.a, q.X_WA}, abut::PlacedConvex{*q.b, q.X_WB},
                     q.coherent ? &warm_start_ : nullptr)
        .distance;
  }
  double by_vclip(const Prepared& q) {
    if (q.first || !q.coherent) last_ = {};
    if (q.start >= 0) last_ = starts_[static_cast<std::size_t>(q.start)].last;
    const abut::Transform X_AB = q.X_WA.inverse() * q.X_WB;
    const abut::VClipAnswer d = vclip(*q.a->polyhedron, *q.b->polyhedron, X_AB, last_.a, last_.b);
    last_ = d.proximity;
    return d.status == abut::VClipStatus::disjoint ? d.proximity.distance : kNone;
  }
  double by_axes(const Prepared& q) {
    const abut::Transform X_AB = q.X_WA.inverse() * q.X_WB;
    return sat_proximity(*q.a->polyhedron, *q.b->polyhedron, X_AB, scratch_).distance;
  }

  abut::ConvexSet solids_;
  std::vector<std::vector<Prepared>> queries_;
  std::vector<Start> starts_;
  abut::WarmStart warm_start_;
  abut::Proximity last_;
  abut::SatScratch scratch_;
};

}  // namespace

int main() {
  Abut abut;
  return serve(abut);
}
