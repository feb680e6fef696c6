// ContactData: the contact geometry of all touching pairs in a step, the input of contact models.
//
// Each pair has one Patch: a normal and a range of points. The points are a structure of arrays.
// Each point has its own place on A, its own place on B and its own gap psi along the patch's
// normal. A contact model turns this geometry into the constraints that its solver needs.
//
//   for (const abut::Patch& patch : data.patches)
//     for (int i = patch.begin; i < patch.end; ++i) use(patch.normal, data.points.psi[i]);
#pragma once

#include <cstdint>
#include <vector>

#include "abut/collide/solid/feature.h"
#include "abut/math/types.h"
#include "abut/model/contact_memory.h"

namespace abut {

struct ContactPoints {
  std::vector<Vec3> p_A, p_B;     // world coordinates; p_B = p_A + psi * normal
  std::vector<double> psi;        // gap (m); negative where the solids overlap
  std::vector<std::uint64_t> id;  // point_id(): unchanged while the same features make the point

  int count() const { return static_cast<int>(psi.size()); }
  void clear() { resize(0); }
  void resize(int n) {
    const auto size = static_cast<std::size_t>(n);
    p_A.resize(size), p_B.resize(size), psi.resize(size), id.resize(size);
  }
  void add(const Vec3& a, const Vec3& b, double gap, std::uint64_t name) {
    p_A.push_back(a), p_B.push_back(b), psi.push_back(gap), id.push_back(name);
  }
  void add(const ContactPoints& other) {
    const auto append = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(p_A, other.p_A), append(p_B, other.p_B), append(psi, other.psi), append(id, other.id);
  }
  void reserve(int n) {
    const auto size = static_cast<std::size_t>(n);
    p_A.reserve(size), p_B.reserve(size), psi.reserve(size), id.reserve(size);
  }
};

struct Patch {
  int geom_a = -1, geom_b = -1;  // geom_a < geom_b
  // Parts of geoms that are not convex (solid_numbers.h); -1: the geom is one solid.
  int part_a = -1, part_b = -1;
  Vec3 normal = Vec3::Zero();  // unit, from A to B, world
  double distance = 0;         // signed distance of the pair (m)
  Feature a, b;                // closest features, or those of the minimum translation
  bool indeterminate = false;  // see Proximity
  // Of a distance field (field_contact.h): points and normal are all there is; the solids that part_a and
  // part_b name are hulls, and not to be looked at.
  bool of_field = false;
  int begin = 0, end = 0;  // range in points

  int count() const { return end - begin; }
  int solid_a() const { return part_a < 0 ? geom_a : part_a; }
  int solid_b() const { return part_b < 0 ? geom_b : part_b; }
  // Of the two solids. A pair of geoms has several patches if one of them is not convex.
  PairKey key() const { return pair_key(solid_a(), solid_b()); }
};

struct ContactData {
  std::vector<Patch> patches;  // ascending by pair key
  ContactPoints points;

  void clear() {
    patches.clear();
    points.clear();
  }
};

}  // namespace abut
