// The part of Peg that lists the planes that a pair could have, by the motion that they need.
#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/peg_search.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Planes no further turned from each other (rad) are one: a box that rests has its own face and
// the other's.
constexpr double kSamePlane = 1e-3;
// Motions that differ by less than this part of them are equal.
constexpr double kTie = 1e-9;
// How far a pair comes in a step at most, of what it may by its free motion: contacts with others
// may push it.
constexpr double kFarthest = 2;
// J: motion that is none, of what rests.
constexpr double kNothing = 1e-20;
// Of a pair that are tried: enough that the cheapest is among them wherever the search began.
constexpr std::size_t kMostOptions = 48;

}  // namespace

// Equal ones in the order of the normals: is_better() looks again at what is equal to rounding.
bool PegSearch::is_cheaper(const Option& a, const Option& b) {
  if (a.least != b.least) return a.least < b.least;
  for (int k = 0; k < 3; ++k)
    if (a.normal[k] != b.normal[k]) return a.normal[k] > b.normal[k];
  return std::pair(packed(a.plane.a), packed(a.plane.b)) <
         std::pair(packed(b.plane.a), packed(b.plane.b));
}

// J: the least motion that opens the gap psi (m, at the end that `change` leads to) of one row of
// the pair in view_.
double PegSearch::least_motion(const Vec3& point, const Vec3& normal, double psi,
                               std::span<const double> change) {
  const int body_a = model_.geoms[at(view_.geom_a())].body;
  const int body_b = model_.geoms[at(view_.geom_b())].body;
  probe_.begin(end_);
  const int g = probe_.add(1, body_a, body_b);
  probe_.add_point(g, 0, body_b, point, normal, 1);
  probe_.add_point(g, 0, body_a, point, normal, -1);
  probe_.finish();
  probe_.delassus(probe_block_);
  const double inertia = probe_block_.values.empty() ? 0 : probe_block_.values[0];
  if (!(inertia > 0)) return kInfinity;
  row_.resize(1);
  probe_.velocities(change, row_);
  const double r = std::max(row_[0] - psi / step_->h, 0.0);
  return 0.5 * r * r / inertia;
}

// What one vertex against the other solid needs, which is no more than what all need (J).
double PegSearch::least_of_witness(const Vec3& normal, std::span<const double> change) {
  Vec3 p_A, p_B;
  if (!view_.farthest(normal, p_A, p_B)) return 0;
  return least_motion(0.5 * (p_A + p_B), normal, normal.dot(p_B - p_A), change);
}

// The mean of the patch's rows is implied by them, and so is that of the vertex that is deepest:
// where solids are deep in each other along the normal, the mean has points that are not.
bool PegSearch::make_option(const SeparatingPlane& plane, std::span<const double> change,
                            Option& o) {
  o.plane = plane;
  const double gap = view_.separation(o.normal);
  scratch_data_.clear();
  if (!view_.append_patch(o.normal, gap + 0.01 * view_.size(), scratch_data_) &&
      !view_.append_patch(o.normal, std::abs(gap) + 0.5 * view_.size(), scratch_data_))
    return false;
  Vec3 point = Vec3::Zero();
  double psi = 0;
  const int count = scratch_data_.points.count();
  for (int i = 0; i < count; ++i) {
    point += 0.5 / count * (scratch_data_.points.p_A[at(i)] + scratch_data_.points.p_B[at(i)]);
    psi += scratch_data_.points.psi[at(i)] / count;
  }
  scratch_data_.clear();
  o.meets = view_.append_vertices(plane, o.normal, gap + 1e-6 * view_.size(), scratch_data_);
  for (const Vec3& p : scratch_data_.points.p_A)
    o.meets = o.meets && view_.is_on_features(plane, p);
  o.least = std::max(o.least, least_motion(point, o.normal, psi, change));
  return std::isfinite(o.least);
}

// The planes that a pair could have, the cheapest first, those that part it at the start before all
// others. None that needs more than `most` (J) beside that of the pair itself; `own` is what that
// needs. Wants go_to_end(change) and factor_end().
void PegSearch::find_options(const Choice& c, std::span<const double> change, Wanted wanted,
                             double most, std::vector<Option>& out, double& own) {
  out.clear();
  own = kInfinity;
  if (!view(c, end_)) return;
  start_view_.place(c.geom_a, c.geom_b, geom_pose(model_, step_->start.d, c.geom_a),
                    geom_pose(model_, step_->start.d, c.geom_b));
  // solids that overlap before the step have none that parts them: those of least depth then
  const double slack = std::max(-start_view_.proximity().distance, 0.0) + 1e-6 * start_view_.size();
  // beyond a plane that is deeper at the start than this the pair does not come in the step
  const double reach = kFarthest * (step_->reach[at(c.geom_a)] + step_->reach[at(c.geom_b)]);
  const double deepest = slack + reach;
  view_.planes(planes_, deepest + reach);
  if (!c.plane.is_none() && std::find(planes_.begin(), planes_.end(), c.plane) == planes_.end())
    planes_.push_back(c.plane);
  candidates_.clear();
  for (const SeparatingPlane& plane : planes_) {
    Option o;
    Vec3 n;
    if (start_view_.normal(plane, n)) {
      const double separation = start_view_.separation(n);
      if (separation < -deepest) continue;
      o.parted = separation >= -slack;
    }
    if (wanted == Wanted::parted && !o.parted) continue;
    if (!view_.normal(plane, o.normal)) continue;
    o.plane = plane;
    o.least = least_of_witness(o.normal, change);
    if (plane == c.plane || o.least <= most) candidates_.push_back(o);
  }
  // What a witness needs is no more than what the plane needs, and cheap to know: of hulls with
  // thousands of planes no more are looked at than can be among the cheapest.
  const auto first = [](const Option& a, const Option& b) {
    return a.parted != b.parted ? a.parted : is_cheaper(a, b);
  };
  std::sort(candidates_.begin(), candidates_.end(), first);
  const std::size_t enough = kMostOptions + tried_.size();
  cheapest_.clear();  // a heap of what the cheapest of this kind need, the most on top
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    Option& o = candidates_[i];
    if (i > 0 && o.parted != candidates_[i - 1].parted) cheapest_.clear();
    const bool is_own = o.plane == c.plane;
    if (!is_own && cheapest_.size() >= enough && o.least > cheapest_.front()) continue;
    if (!make_option(o.plane, change, o)) continue;
    if (is_own) own = o.least;
    if (!is_own && o.least > most) continue;
    out.push_back(o);
    cheapest_.push_back(o.least);
    std::push_heap(cheapest_.begin(), cheapest_.end());
    if (cheapest_.size() <= enough) continue;
    std::pop_heap(cheapest_.begin(), cheapest_.end());
    cheapest_.pop_back();
  }
  std::sort(out.begin(), out.end(), first);
}

// Gives a pair the cheapest plane that has not failed. Wants what find_options() does.
bool PegSearch::pick(Choice& c, std::span<const double> change) {
  const SeparatingPlane last = remembered(c.key);
  const auto was_tried = [&](const SeparatingPlane& plane) {
    return std::any_of(tried_.begin(), tried_.end(),
                       [&](const Tried& t) { return t.key == c.key && t.plane == plane; });
  };
  for (const Wanted wanted : {Wanted::parted, Wanted::all}) {
    double own = 0;
    find_options(c, change, wanted, kInfinity, options_, own);
    const Option* best = nullptr;
    std::size_t looked = 0;
    for (const Option& o : options_) {
      if (looked >= kMostOptions) break;
      if (was_tried(o.plane)) continue;
      ++looked;
      if (best == nullptr) best = &o;
      if (o.plane == last && o.least <= best->least * (1 + kTie)) best = &o;
      // of two faces that lie on each other the one that the other's vertices are over: those of a
      // table are far from the box on it
      if (o.meets && !best->meets && o.least <= best->least * (1 + 1e-6) + kNothing &&
          (o.normal - best->normal).norm() < kSamePlane && best->plane != last)
        best = &o;
    }
    if (best == nullptr) continue;
    c.plane = best->plane;
    c.met = c.recalled = false;
    return true;
  }
  return false;
}

// Planes that could do with less motion than those that were picked; one list a pair. How many
// branches they make, one more than `limit` for all that are more.
std::int64_t PegSearch::find_others(const Trial& best, std::int64_t limit) {
  go_to_end(best.change);
  factor_end();
  others_.resize(best.choices.size());
  std::int64_t count = 1;
  for (std::size_t i = 0; i < best.choices.size(); ++i) {
    const Choice& c = best.choices[i];
    std::vector<Option>& others = others_[i];
    others.clear();
    // what was held by this plane before stays so while it can
    if (c.plane == remembered(c.key)) continue;
    double own = 0;
    find_options(c, best.change, Wanted::all, best.motion * (1 + kTie), others, own);
    // of several pairs each accounts for a part of the motion
    const double most = best.choices.size() > 1 ? std::min(best.motion, 4 * own) : best.motion;
    Vec3 n;
    const bool has_normal = view_.normal(c.plane, n);
    std::erase_if(others, [&](const Option& o) {
      return o.plane == c.plane || !(o.least <= most * (1 + kTie)) ||
             (has_normal && (o.normal - n).norm() < kSamePlane);
    });
    std::sort(others.begin(), others.end(), is_cheaper);
    if (others.size() > kMostOptions) others.resize(kMostOptions);
    count = std::min<std::int64_t>(count * static_cast<std::int64_t>(others.size() + 1), limit + 1);
  }
  return count;
}

}  // namespace abut
