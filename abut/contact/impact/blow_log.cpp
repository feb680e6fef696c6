#include "abut/contact/impact/blow_log.h"

#include <algorithm>
#include <utility>

#include "abut/math/index.h"

namespace abut {

void BlowLog::clear() {
  blows_.clear();
  impulses_.clear();
  data_.clear();
}

void BlowLog::add(const ContactData& touching, std::span<const ContactForce> impulses) {
  for (const ContactForce& impulse : impulses) {
    const Patch& patch = touching.patches[at(impulse.patch)];
    blows_.push_back({patch.key(), static_cast<int>(blows_.size()), patch.normal, impulse});
  }
}

void BlowLog::sort() {
  std::sort(blows_.begin(), blows_.end(), [](const Blow& a, const Blow& b) {
    return std::pair(a.key, a.index) < std::pair(b.key, b.index);
  });
  for (const Blow& blow : blows_) {
    const int a = static_cast<int>(blow.key >> 32), b = static_cast<int>(blow.key & 0xffffffff);
    if (data_.patches.empty() || data_.patches.back().geom_a != a ||
        data_.patches.back().geom_b != b) {
      Patch& patch = data_.patches.emplace_back();
      patch.geom_a = a, patch.geom_b = b;
    }
    data_.patches.back().normal = blow.normal;
    impulses_.push_back(blow.force);
    impulses_.back().patch = static_cast<int>(data_.patches.size()) - 1;
  }
}

}  // namespace abut
