#include "abut/contact/complementarity/peg/peg_options.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/math/index.h"

namespace abut {

using namespace peg_tolerance;

namespace {

// How far a pair comes in a step at most, of what it may by its free motion: contacts with others
// may push it.
constexpr double kFarthest = 2;
// Of several pairs each accounts for a part of the motion: none needs more than so many times what
// its own plane does.
constexpr double kOfOwn = 4;

// Equal ones in the order of the normals: is_better() looks again at what is equal to rounding.
bool is_cheaper(const PegOption& a, const PegOption& b) {
  if (a.least != b.least) return a.least < b.least;
  for (int k = 0; k < 3; ++k)
    if (a.normal[k] != b.normal[k]) return a.normal[k] > b.normal[k];
  return std::pair(packed(a.plane.a), packed(a.plane.b)) <
         std::pair(packed(b.plane.a), packed(b.plane.b));
}

bool parts_or_is_cheaper(const PegOption& a, const PegOption& b) {
  return a.parted != b.parted ? a.parted : is_cheaper(a, b);
}

}  // namespace

PegOptions::PegOptions(const Model& model, const Collider& collider)
    : start_view_(collider), probe_(model) {}

bool PegOptions::has_failed(PairKey key, const SeparatingPlane& plane) const {
  return std::any_of(failed_.begin(), failed_.end(),
                     [&](const Failed& f) { return f.key == key && f.plane == plane; });
}

// J: the least motion that opens the gap psi (m, at the end that `change` leads to) of one row of
// the pair in view.
double PegOptions::least_motion(PegScene& scene, const Vec3& point, const Vec3& normal, double psi,
                                std::span<const double> change) {
  const Model& model = scene.model();
  const int body_a = model.geoms[at(scene.view().geom_a())].body;
  const int body_b = model.geoms[at(scene.view().geom_b())].body;
  probe_.begin(scene.end());
  const int g = probe_.add(1, body_a, body_b);
  probe_.add_point(g, 0, body_b, point, normal, 1);
  probe_.add_point(g, 0, body_a, point, normal, -1);
  probe_.finish();
  probe_.delassus(probe_block_);
  const double inertia = probe_block_.values.empty() ? 0 : probe_block_.values[0];
  if (!(inertia > 0)) return kInfinity;
  rate_.resize(1);
  probe_.velocities(change, rate_);
  const double r = std::max(rate_[0] - psi / scene.step().h, 0.0);
  return 0.5 * r * r / inertia;
}

// What one vertex against the other solid needs, which is no more than what all need (J).
double PegOptions::least_of_witness(PegScene& scene, const Vec3& normal,
                                    std::span<const double> change) {
  Vec3 p_A, p_B;
  if (!scene.view().farthest(normal, p_A, p_B)) return 0;
  return least_motion(scene, 0.5 * (p_A + p_B), normal, normal.dot(p_B - p_A), change);
}

// The mean of the patch's rows is implied by them, and so is that of the vertex that is deepest:
// where solids are deep in each other along the normal, the mean has points that are not.
bool PegOptions::make(PegScene& scene, const SeparatingPlane& plane, std::span<const double> change,
                      PegOption& o) {
  PlanePair& view = scene.view();
  o.plane = plane;
  const double gap = view.separation(o.normal);
  patch_.clear();
  if (!view.append_patch(o.normal, gap + 0.01 * view.size(), patch_) &&
      !view.append_patch(o.normal, std::abs(gap) + 0.5 * view.size(), patch_))
    return false;
  Vec3 point = Vec3::Zero();
  double psi = 0;
  const int count = patch_.points.count();
  for (int i = 0; i < count; ++i) {
    point += 0.5 / count * (patch_.points.p_A[at(i)] + patch_.points.p_B[at(i)]);
    psi += patch_.points.psi[at(i)] / count;
  }
  patch_.clear();
  o.meets = view.append_vertices(plane, o.normal, gap + kBeside * view.size(), patch_);
  for (const Vec3& p : patch_.points.p_A) o.meets = o.meets && view.is_on_features(plane, p);
  o.least = std::max(o.least, least_motion(scene, point, o.normal, psi, change));
  return std::isfinite(o.least);
}

// By what a witness needs, which is no more than what the plane needs, and cheap to know.
void PegOptions::list_candidates(PegScene& scene, const PegChoice& c,
                                 std::span<const double> change, Wanted wanted, double most) {
  // solids that overlap before the step have none that parts them: those of least depth then
  const double slack =
      std::max(-start_view_.proximity().distance, 0.0) + kPartedAtStart * start_view_.size();
  // beyond a plane that is deeper at the start than this the pair does not come in the step
  const double reach = kFarthest * scene.reach(c);
  const double deepest = slack + reach;
  scene.view().planes(planes_, deepest + reach);
  if (!c.plane.is_none() && std::find(planes_.begin(), planes_.end(), c.plane) == planes_.end())
    planes_.push_back(c.plane);
  candidates_.clear();
  for (const SeparatingPlane& plane : planes_) {
    PegOption o;
    Vec3 n;
    if (start_view_.normal(plane, n)) {
      const double separation = start_view_.separation(n);
      if (separation < -deepest) continue;
      o.parted = separation >= -slack;
    }
    if (wanted == Wanted::parted && !o.parted) continue;
    if (!scene.view().normal(plane, o.normal)) continue;
    o.plane = plane;
    o.least = least_of_witness(scene, o.normal, change);
    if (plane == c.plane || o.least <= most) candidates_.push_back(o);
  }
  std::sort(candidates_.begin(), candidates_.end(), parts_or_is_cheaper);
}

// Of hulls with thousands of planes no more are looked at than can be among the cheapest.
void PegOptions::keep_cheapest(PegScene& scene, const PegChoice& c, std::span<const double> change,
                               double most, std::vector<PegOption>& out, double& own) {
  const std::size_t enough = kMost + failed_.size();
  cheapest_.clear();  // a heap of what the cheapest of this kind need, the most on top
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    PegOption& o = candidates_[i];
    if (i > 0 && o.parted != candidates_[i - 1].parted) cheapest_.clear();
    const bool is_own = o.plane == c.plane;
    if (!is_own && cheapest_.size() >= enough && o.least > cheapest_.front()) continue;
    if (!make(scene, o.plane, change, o)) continue;
    if (is_own) own = o.least;
    if (!is_own && o.least > most) continue;
    out.push_back(o);
    cheapest_.push_back(o.least);
    std::push_heap(cheapest_.begin(), cheapest_.end());
    if (cheapest_.size() <= enough) continue;
    std::pop_heap(cheapest_.begin(), cheapest_.end());
    cheapest_.pop_back();
  }
}

// The planes that a pair could have, the cheapest first, those that part it at the start before all
// others. None that needs more than `most` (J) beside that of the pair itself; `own` is what that
// needs.
void PegOptions::find(PegScene& scene, const PegChoice& c, std::span<const double> change,
                      Wanted wanted, double most, std::vector<PegOption>& out, double& own) {
  out.clear();
  own = kInfinity;
  if (!scene.view_end(c)) return;
  start_view_.place(c.geom_a, c.geom_b, geom_pose(scene.model(), scene.start(), c.geom_a),
                    geom_pose(scene.model(), scene.start(), c.geom_b));
  list_candidates(scene, c, change, wanted, most);
  keep_cheapest(scene, c, change, most, out, own);
  std::sort(out.begin(), out.end(), parts_or_is_cheaper);
}

bool PegOptions::pick(PegScene& scene, PegChoice& c, std::span<const double> change) {
  const SeparatingPlane last = scene.remembered(c.key);
  for (const Wanted wanted : {Wanted::parted, Wanted::all}) {
    double own = 0;
    find(scene, c, change, wanted, kInfinity, options_, own);
    const PegOption* best = nullptr;
    std::size_t looked = 0;
    for (const PegOption& o : options_) {
      if (looked >= kMost) break;
      if (has_failed(c.key, o.plane)) continue;
      ++looked;
      if (best == nullptr) best = &o;
      if (o.plane == last && o.least <= best->least * (1 + kTie)) best = &o;
      // of two faces that lie on each other the one that the other's vertices are over: those of a
      // table are far from the box on it
      if (o.meets && !best->meets && o.least <= best->least * (1 + kSameMotion) + kNothing &&
          (o.normal - best->normal).norm() < kSamePlane && best->plane != last)
        best = &o;
    }
    if (best == nullptr) continue;
    c.plane = best->plane;
    c.met = c.is_last = false;
    return true;
  }
  return false;
}

void PegOptions::find_cheaper(PegScene& scene, const PegChoice& c, std::span<const double> change,
                              double motion, std::size_t pairs, std::vector<PegOption>& out) {
  double own = 0;
  find(scene, c, change, Wanted::all, motion * (1 + kTie), out, own);
  const double most = pairs > 1 ? std::min(motion, kOfOwn * own) : motion;
  Vec3 n;
  const bool has_normal = scene.view().normal(c.plane, n);
  std::erase_if(out, [&](const PegOption& o) {
    return o.plane == c.plane || !(o.least <= most * (1 + kTie)) ||
           (has_normal && (o.normal - n).norm() < kSamePlane);
  });
  std::sort(out.begin(), out.end(), is_cheaper);
  if (out.size() > kMost) out.resize(kMost);
}

}  // namespace abut
