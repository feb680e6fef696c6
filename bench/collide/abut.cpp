// abut in the race of distance queries.
#include <limits>

#include "abut/collide/proximity.h"
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
  std::vector<std::string> methods() const override { return {"proximity"}; }

  void load(const Scene& scene) override {
    for (const Solid& solid : scene.solids) solids_.add(polyhedron(solid));
    queries_ = prepared<Prepared>(scene, [&](const QuerySet& set, const Query& q) {
      return Prepared{&solids_[q.a],  &solids_[q.b], pose(q.X_WA),  pose(q.X_WB),
                      set.motion > 0, q.first != 0,  set.apart != 0};
    });
  }

  double query(int, int set, int i) override {
    const Prepared& q = queries_[static_cast<std::size_t>(set)][static_cast<std::size_t>(i)];
    if (q.first) hint_ = {};
    const abut::Proximity d = proximity(*q.a, q.X_WA, *q.b, q.X_WB, q.coherent ? &hint_ : nullptr);
    return (d.distance > 0) == q.apart ? d.distance : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  abut::ConvexSet solids_;
  std::vector<std::vector<Prepared>> queries_;
  abut::PairHint hint_;
};

}  // namespace

int main() {
  Abut abut;
  return serve(abut);
}
