#include "abut/contact/complementarity/feature_constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/math/index.h"

namespace abut {

using peg_tolerance::kFacing;

namespace {

std::string short_name(const Feature& f) { return fmt::format("{}{}", name(f.kind)[0], f.index); }

}  // namespace

int FeatureConstraints::find(int first, const Feature& a, const Feature& b) const {
  for (int i = first; i < static_cast<int>(contacts_.size()); ++i)
    if (contacts_[at(i)].a == a && contacts_[at(i)].b == b) return i;
  return -1;
}

void FeatureConstraints::append(int first, const Feature& a, const Feature& b,
                                std::vector<int>& out) const {
  if (const int c = find(first, a, b); c >= 0) out.push_back(c);
}

// Empty sets make no constraint; what may press is marked.
void FeatureConstraints::constrain(FeatureConstraint::Kind kind, std::vector<int> iota,
                                   std::vector<int> kappa) {
  if (iota.empty() && kappa.empty()) return;
  if (kind != FeatureConstraint::Kind::X)
    for (const int c : iota) contacts_[at(c)].presses = true;
  constraints_.push_back({kind, std::move(iota), std::move(kappa)});
}

void FeatureConstraints::release(int contact) {
  contacts_[at(contact)].presses = false;
  for (FeatureConstraint& c : constraints_) {
    if (c.kind == FeatureConstraint::Kind::X) continue;
    const auto place = std::find(c.iota.begin(), c.iota.end(), contact);
    if (place == c.iota.end()) continue;
    c.iota.erase(place);
    c.kappa.push_back(contact);
  }
  std::erase_if(constraints_, [](const FeatureConstraint& c) {
    return c.kind != FeatureConstraint::Kind::X && c.iota.empty();
  });
}

// One vertex against all the faces it is near, of the contacts from `first` on: U if it is one,
// else I (20, 22). Without a contact that may press there is nothing to hold it with (10).
void FeatureConstraints::constrain_vertices(int first, double eps) {
  const int end = static_cast<int>(contacts_.size());
  std::vector<char> done(at(end - first), 0);
  for (int i = first; i < end; ++i) {
    const LocalContact& c = contacts_[at(i)];
    if (done[at(i - first)] || c.a.kind == FeatureKind::edge) continue;
    const bool of_a = c.a.kind != FeatureKind::face;
    std::vector<int> iota, kappa;
    for (int k = i; k < end; ++k) {
      const LocalContact& other = contacts_[at(k)];
      if (of_a ? other.a != c.a : other.b != c.b) continue;
      done[at(k - first)] = 1;
      (other.applicability >= -eps ? iota : kappa).push_back(k);
    }
    if (iota.empty()) continue;
    const bool alone = iota.size() + kappa.size() == 1;
    constrain(alone ? FeatureConstraint::Kind::U : FeatureConstraint::Kind::I, iota, kappa);
  }
}

void FeatureConstraints::add(const PlanePair& view, double reach, const FeatureChoice& choice) {
  if (view.is_flat())
    add_flat(view, reach, choice);
  else
    add_solid(view, reach, choice);
}

// 2D ------------------------------------------------------------------------------------

void FeatureConstraints::add_flat(const PlanePair& view, double reach,
                                  const FeatureChoice& choice) {
  const int first = static_cast<int>(contacts_.size());
  find_features(view.polygon_a(), view.polygon_b(), reach, flat_);
  const WorldPlane& plane = view.world_plane();
  for (const PlanarContact& c : flat_.contacts) {
    LocalContact& out = contacts_.emplace_back();
    out.geom_a = view.geom_a(), out.geom_b = view.geom_b();
    out.a = c.vertex_of_a ? vertex_feature(c.vertex) : face_feature(c.edge);
    out.b = c.vertex_of_a ? face_feature(c.edge) : vertex_feature(c.vertex);
    out.normal = plane.lifted(c.normal);
    out.p_A = view.origin() + plane.lifted(c.p_A);
    out.p_B = view.origin() + plane.lifted(c.p_B);
    out.psi = c.psi;
    out.applicability = c.applicability;
  }
  constrain_vertices(first, choice.eps);
  if (choice.crossings == Crossings::none) return;
  find_planes(first, view.size());
  for (const PlanarCorner& corner : flat_.corners) {
    std::vector<int> c;
    for (const int k : corner.contact) c.push_back(first + k);
    points_a_ = {contacts_[at(c[0])].p_A};
    points_b_ = {contacts_[at(c[2])].p_B};
    cross(c, {c[0]}, {c[3]}, choice.crossings);
    cross(c, {c[1]}, {c[2]}, choice.crossings);
  }
}

// 3D ------------------------------------------------------------------------------------

void FeatureConstraints::add_solid(const PlanePair& view, double reach,
                                   const FeatureChoice& choice) {
  const int first = static_cast<int>(contacts_.size());
  FeatureLimits limits;
  limits.eps_vf = limits.eps_ee = reach;
  limits.theta = std::numbers::pi / 2;
  limits.applicable_only = false;
  const Convex &A = view.a(), &B = view.b();
  if (!feature_contacts(A, B, view.X_AB(), limits, found_)) return;
  for (const FeatureContact& c : found_.list) {
    const bool edges = c.a.kind == FeatureKind::edge;
    if (edges && c.applicability < -kFacing) continue;
    // behind a face, not beside it: the vertex has come by another way (Fig. 4)
    if (!edges && c.psi < 0 && c.applicability < -choice.eps && view.is_over_face(c)) continue;
    LocalContact& out = contacts_.emplace_back();
    out.geom_a = view.geom_a(), out.geom_b = view.geom_b();
    out.a = c.a, out.b = c.b;
    out.normal = view.X_WA().q * c.normal;
    out.p_A = view.X_WA() * c.p_A;
    out.p_B = out.p_A + c.psi * out.normal;
    out.psi = c.psi;
    out.applicability = c.applicability;
    out.presses = edges;
  }
  constrain_vertices(first, choice.eps);
  if (!A.is_polyhedron() || !B.is_polyhedron()) return;
  // edges that are what is nearest (19)
  const Proximity nearest = view.proximity();
  if (nearest.a.kind == FeatureKind::edge && nearest.b.kind == FeatureKind::edge)
    if (const int c = find(first, nearest.a, nearest.b); c >= 0)
      constrain(FeatureConstraint::Kind::U, {c}, {});
  if (choice.crossings != Crossings::none) add_crossings(view, first, reach, choice.crossings);
}

std::string FeatureConstraints::text(int constraint) const {
  const FeatureConstraint& c = constraints_[at(constraint)];
  const auto list = [&](const std::vector<int>& of) {
    std::string s;
    for (const int i : of)
      s += fmt::format("{}C({},{})", s.empty() ? "" : ", ", short_name(contacts_[at(i)].a),
                       short_name(contacts_[at(i)].b));
    return s;
  };
  if (c.kind == FeatureConstraint::Kind::U) return "U(" + list(c.iota) + ")";
  return fmt::format("{}({{{}}}, {{{}}})", c.kind == FeatureConstraint::Kind::I ? 'I' : 'X',
                     list(c.iota), list(c.kappa));
}

}  // namespace abut
