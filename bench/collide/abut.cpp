// abut in the race of distance queries: proximity(), which is what others use, and beside
// it V-Clip, which knows distances only, and the separating axes, which are quadratic.
#include <limits>

#include "abut/collide/proximity.h"
#include "abut/collide/sat.h"
#include "abut/collide/vclip.h"
#include "abut/version.h"

#include "participant.h"
#include "solids.h"

namespace {

struct Prepared {
  const abut::Convex *a, *b;
  abut::Pose X_WA, X_WB;
  bool coherent, first, apart;
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
      return Prepared{&solids_[q.a],  &solids_[q.b], pose(q.X_WA),  pose(q.X_WB),
                      set.motion > 0, q.first != 0,  set.apart != 0};
    });
  }

  double query(int method, int set, int i) override {
    const Prepared& q = queries_[static_cast<std::size_t>(set)][static_cast<std::size_t>(i)];
    const double distance = method == 0 ? by_proximity(q) : method == 1 ? by_vclip(q) : by_axes(q);
    return (distance > 0) == q.apart ? distance : kNone;
  }

 private:
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  double by_proximity(const Prepared& q) {
    if (q.first) hint_ = {};
    return proximity(*q.a, q.X_WA, *q.b, q.X_WB, q.coherent ? &hint_ : nullptr).distance;
  }
  double by_vclip(const Prepared& q) {
    if (q.first || !q.coherent) last_ = {};
    const abut::Transform X_AB = relative(q.X_WA, q.X_WB);
    const abut::VClipAnswer d = vclip(*q.a->polyhedron, *q.b->polyhedron, X_AB, last_.a, last_.b);
    last_ = d.proximity;
    return d.status == abut::VClipStatus::disjoint ? d.proximity.distance : kNone;
  }
  double by_axes(const Prepared& q) {
    const abut::Transform X_AB = relative(q.X_WA, q.X_WB);
    return sat_proximity(*q.a->polyhedron, *q.b->polyhedron, X_AB, scratch_).distance;
  }

  abut::ConvexSet solids_;
  std::vector<std::vector<Prepared>> queries_;
  abut::PairHint hint_;
  abut::Proximity last_;
  abut::SatScratch scratch_;
};

}  // namespace

int main() {
  Abut abut;
  return serve(abut);
}
