#include "abut/constrain/step/impulse_memory.h"

#include <utility>

namespace abut {

void ImpulseMemory::begin() {
  next_.set_widths(pair_width_, TimeStepping::kPointMemory);
  next_.clear();
  patch_ = contact_ = 0;
  written_ = true;
}

int ImpulseMemory::write_pair(const PairQuery& query, const ContactData& used,
                              const ContactData& near, std::span<const AtPoint> impulses) {
  if (query.patch < 0) return -1;
  const auto key_at = [&](std::size_t p) { return used.patches[p].key(); };
  while (patch_ < used.patches.size() && key_at(patch_) < query.key) ++patch_;
  // all patches of the pair: one, or one for each contact of its features
  std::size_t end = patch_;
  while (end < used.patches.size() && key_at(end) == query.key) ++end;
  const bool is_used = end > patch_;
  const Patch& patch = is_used ? used.patches[patch_] : near.patches[at(query.patch)];
  PairMemory header;
  header.key = query.key;
  header.warm_start = query.warm_start;
  for (int k = 0; k < 3; ++k) header.normal[k] = patch.normal[k];
  ids_.clear();
  if (is_used)
    ids_.assign(used.points.id.begin() + patch.begin,
                used.points.id.begin() + used.patches[end - 1].end);
  const int pair = next_.append(header, ids_);
  if (!is_used) return -1;

  bool pressed = false;
  const auto is_before = [&](std::size_t bound) {
    return contact_ < impulses.size() && impulses[contact_].patch < static_cast<int>(bound);
  };
  while (is_before(patch_)) ++contact_;
  for (; is_before(end); ++contact_) {
    const Vec3& p = impulses[contact_].impulse;
    const int point = static_cast<int>(next_.pairs()[at(pair)].point_begin) +
                      impulses[contact_].point - patch.begin;
    const std::span<double> values = next_.point_values(point);
    for (std::size_t k = 0; k < 3; ++k) values[k] = p[static_cast<int>(k)];
    pressed |= p.squaredNorm() > 0;
  }
  next_.pairs()[at(pair)].phase = pressed ? ContactPhase::resting : ContactPhase::apart;
  return pressed ? static_cast<int>(patch_) : -1;
}

void ImpulseMemory::take(const TimeStepping& stepping) {
  taken_.clear();
  for (std::size_t c = 0; c < stepping.contacts().size(); ++c)
    taken_.push_back(
        {stepping.contacts()[c].patch, stepping.contacts()[c].point, stepping.impulses()[c]});
}

void ImpulseMemory::put_into(State& state) {
  if (!written_) return;
  std::swap(state.contacts, next_);
  next_.set_widths(pair_width_, TimeStepping::kPointMemory);
}

}  // namespace abut
