#include "abut/contact/penalty/surface/fewest_points.h"

#include <algorithm>

#include "abut/math/index.h"
#include "abut/solve/problem.h"

namespace abut {

std::span<const int> FewestPoints::choose(std::span<const Vec3> places,
                                          std::span<const double> pressed, int most,
                                          std::span<double> area) {
  kept_.clear();
  far2_.assign(places.size(), kInfinity);
  nearest_.assign(places.size(), -1);
  if (places.empty()) return kept_;
  take(places, static_cast<int>(std::ranges::max_element(pressed) - pressed.begin()));
  take_farthest(places, pressed, true, most);
  take_farthest(places, pressed, false, most);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (far2_[i] >= 0) area[at(nearest_[i])] += area[i];
  std::sort(kept_.begin(), kept_.end());
  return kept_;
}

void FewestPoints::take_farthest(std::span<const Vec3> places, std::span<const double> pressed,
                                 bool wanted, int most) {
  while (static_cast<int>(kept_.size()) < most) {
    int best = -1;
    for (int i = 0; i < static_cast<int>(places.size()); ++i)
      if (far2_[at(i)] >= 0 && (pressed[at(i)] > 0) == wanted &&
          (best < 0 || far2_[at(i)] > far2_[at(best)]))
        best = i;
    if (best < 0) return;
    take(places, best);
  }
}

void FewestPoints::take(std::span<const Vec3> places, int point) {
  kept_.push_back(point);
  far2_[at(point)] = -1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double d2 = (places[i] - places[at(point)]).squaredNorm();
    if (d2 >= far2_[i]) continue;
    far2_[i] = d2;
    nearest_[i] = point;
  }
}

}  // namespace abut
