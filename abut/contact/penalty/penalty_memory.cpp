#include "abut/contact/penalty/penalty_memory.h"

#include <algorithm>

#include "abut/math/index.h"

namespace abut {

namespace {

PairMemory header_of(const PairQuery& query, const Patch& patch, const PairRecall& old,
                     const ContactPhases* phases) {
  PairMemory header;
  header.key = query.key;
  header.warm_start = query.warm_start;
  header.phase = ContactPhase::resting;
  if (old.known()) {
    header.phase = old.header().phase;
    header.branch = old.header().branch;
  }
  for (int k = 0; k < 3; ++k) header.normal[k] = patch.normal[k];
  if (phases != nullptr) {
    header.phase = phases->phase(query.patch);
    header.branch = phases->was_hit(query.patch) ? 1 : 0;
  }
  return header;
}

}  // namespace

PenaltyMemory::PenaltyMemory(const Model& model, ForceModel& law) : model_(model), law_(law) {
  for (ContactMemory* m : {&now_, &next_}) m->set_widths(pair_width(), point_width());
}

void PenaltyMemory::begin(const ContactData& data, ContactMemory& contacts) {
  if (model_.solids.any_compound()) parts_.pass_on(model_.solids, data, contacts);
  fresh_ = contacts.pair_width() != pair_width() || contacts.point_width() != point_width();
}

void PenaltyMemory::advance(const ForceScene& scene, std::span<const PairQuery> queries,
                            const ContactMemory& before, const ContactPhases* phases,
                            const InitialOverlap& overlap) {
  now_.set_widths(pair_width(), point_width());
  now_.clear();
  for (const PairQuery& query : queries)
    if (query.patch >= 0) add(scene, query, before, phases);
  next_ = now_;
  law_.advance(scene, before, now_, next_);
  for (int p = 0; p < static_cast<int>(next_.pairs().size()); ++p)
    next_.pair_values(p)[frame_begin()] = overlap.left(next_.pairs()[at(p)].key);
}

void PenaltyMemory::add(const ForceScene& scene, const PairQuery& query,
                        const ContactMemory& before, const ContactPhases* phases) {
  const Patch& patch = scene.data.patches[at(query.patch)];
  const PairRecall old = recall(before, patch, pair_width(), point_width());
  law_.point_ids(scene, query.patch, ids_);
  const int pair = now_.append(header_of(query, patch, old, phases), ids_);
  if (old.known()) copy_values(old, pair);
}

void PenaltyMemory::copy_values(const PairRecall& from, int pair) {
  std::ranges::copy(from.values(), now_.pair_values(pair).begin());
  const auto begin = static_cast<int>(now_.pairs()[at(pair)].point_begin);
  for (std::size_t i = 0; i < ids_.size(); ++i)
    std::ranges::copy(from.point(ids_[i]), now_.point_values(begin + static_cast<int>(i)).begin());
}

}  // namespace abut
