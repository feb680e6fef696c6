#include "abut/contact/penalty/surface/contact_pieces.h"

#include <algorithm>

#include "abut/math/index.h"

namespace abut {

// Calls f(begin, end) for ranges of order_, each the pieces of two bodies.
template <class F>
void ContactPieces::for_each_body_pair(F&& f) const {
  for (std::size_t begin = 0, end = 0; begin < order_.size(); begin = end) {
    while (end < order_.size() && order_[end].first == order_[begin].first) ++end;
    f(begin, end);
  }
}

// Pieces of two bodies whose normals are within 8 degrees have one, and pieces within 25 degrees
// draw each other's a little, so that nothing jumps.
void ContactPieces::find_normals() {
  constexpr double kSame = 0.99, kOther = 0.9;  // cosines
  for_each_body_pair([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      ContactPiece& p = pieces_[at(order_[i].second)];
      const CommonPart& part = parts_[at(order_[i].second)];
      p.surface.normal = part.normal;
      if (!part.of_area || end - begin == 1) continue;
      Vec3 sum = Vec3::Zero();
      for (std::size_t j = begin; j < end; ++j) {
        const CommonPart& other = parts_[at(order_[j].second)];
        const bool turned = pieces_[at(order_[j].second)].turned != p.turned;
        const double sign = turned ? -1 : 1;
        if (!other.of_area) continue;
        const double near = (sign * part.normal.dot(other.normal) - kOther) / (kSame - kOther);
        sum += std::clamp(near, 0.0, 1.0) * sign * other.area;
      }
      p.surface.normal = sum.normalized();
    }
  });
}

// The pieces of two bodies are pressed by springs over all their area together.
void ContactPieces::share_areas() {
  for_each_body_pair([&](std::size_t begin, std::size_t end) {
    double area = 0;
    for (std::size_t i = begin; i < end; ++i) area += pieces_[at(order_[i].second)].surface.area;
    const auto count = static_cast<double>(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      ContactPiece& p = pieces_[at(order_[i].second)];
      p.area = area;
      p.share = area > 0 ? p.surface.area / area : 1 / count;
    }
  });
}

void ContactPieces::find(const ForceScene& scene, const ContactMemory& memory) {
  pieces_.clear();
  order_.clear();
  const auto weld = [&](int body) {
    return static_cast<std::uint64_t>(model_.bodies[at(body)].weld);
  };
  for (int i = 0; i < static_cast<int>(scene.data.patches.size()); ++i) {
    const PairView pair(scene, i);
    Vec3 last = Vec3::Zero();
    const int known = memory.find(pair.patch.key());
    if (known >= 0)
      for (int k = 0; k < 3; ++k) last[k] = memory.pairs()[at(known)].normal[k];
    if (at(i) == parts_.size()) parts_.emplace_back();
    find_common_part(pair, last, options_, buffers_, parts_[at(i)]);
    ContactPiece& p = pieces_.emplace_back();
    p.patch = i;
    const std::uint64_t a = weld(pair.body_a), b = weld(pair.body_b);
    p.turned = a > b;
    p.bodies = std::min(a, b) << 32 | std::max(a, b);
    order_.emplace_back(p.bodies, i);
  }
  std::sort(order_.begin(), order_.end());
  find_normals();
  for (ContactPiece& p : pieces_)
    p.surface =
        contact_surface(PairView(scene, p.patch), parts_[at(p.patch)], p.surface.normal, buffers_);
  share_areas();
}

}  // namespace abut
