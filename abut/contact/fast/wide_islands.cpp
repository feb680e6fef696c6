#include "abut/contact/fast/wide_islands.h"

#include <algorithm>
#include <numeric>

#include "abut/math/index.h"

namespace abut {

WideIslands::WideIslands(const Model& model, int most_new)
    : model_(model), materials_(model), most_new_(most_new), free_(model.trees.size()) {
  for (const Geom& geom : model.geoms) {
    const int link = model.bodies[at(geom.body)].link;
    trees_.push_back(link < 0 ? -1 : model.links[at(link)].tree);
  }
  for (std::size_t t = 0; t < free_.size(); ++t) {
    free_[t] = model.trees[t].free_body;
    has_joints_ |= !model.trees[t].free_body;
  }
  const auto holds = [&](int body) {
    const int link = model.bodies[at(body)].link;
    if (link >= 0) free_[at(model.links[at(link)].tree)] = 0;
    has_joints_ = true;
  };
  for (const Equality& e : model.equalities) {
    if (e.type == EqualityType::joint || e.type == EqualityType::tendon) continue;
    holds(e.first);
    if (e.second >= 0) holds(e.second);
  }
  for (const JointMeasure& m : model.measures) holds(m.first), holds(m.second);
  for (const TendonTerm& term : model.tendon_terms)
    if (term.measure < 0) holds(model.dofs[at(term.dof)].body);
}

int WideIslands::root(int tree) {
  while (parent_[at(tree)] != tree) tree = parent_[at(tree)] = parent_[at(parent_[at(tree)])];
  return tree;
}

void WideIslands::find(const ContactData& data, const ContactMemory& memory) {
  parent_.resize(free_.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const Patch& patch : data.patches) {
    const int a = tree_of(patch.geom_a), b = tree_of(patch.geom_b);
    if (a < 0 || b < 0) continue;
    const int x = root(a), y = root(b);
    parent_[at(std::max(x, y))] = std::min(x, y);
  }
  exact_.assign(free_.size(), 0);
  touched_.assign(free_.size(), 0);
  for (std::size_t t = 0; t < free_.size(); ++t)
    if (!free_[t]) exact_[at(root(static_cast<int>(t)))] = 1;
  if (materials_.any_bounces() || materials_.any_turns())
    for (const Patch& patch : data.patches)
      if (const Material m = materials_.of(patch.geom_a, patch.geom_b);
          m.restitution > 0 || m.turns())
        exact_[island_of(patch)] = 1;
  leave_new_ones(data, memory);
  all_ = true;
  sizes_.clear();
  number_.assign(free_.size(), -1);
  wide_.resize(data.patches.size());
  island_.assign(data.patches.size(), -1);
  for (std::size_t p = 0; p < wide_.size(); ++p) {
    const std::size_t r = island_of(data.patches[p]);
    wide_[p] = !exact_[r];
    all_ &= wide_[p] != 0;
    if (!wide_[p]) continue;
    if (number_[r] < 0) {
      number_[r] = count();
      sizes_.push_back(0);
    }
    island_[p] = number_[r];
    for (const int geom : {data.patches[p].geom_a, data.patches[p].geom_b})
      if (const int tree = tree_of(geom); tree >= 0) touched_[at(tree)] = 1;
  }
  bodies_ = 0;
  for (std::size_t t = 0; t < free_.size(); ++t) {
    if (!touched_[t]) continue;
    ++bodies_;
    ++sizes_[at(number_[at(root(static_cast<int>(t)))])];
  }
}

std::size_t WideIslands::island_of(const Patch& patch) {
  const int a = tree_of(patch.geom_a);
  return at(root(a >= 0 ? a : tree_of(patch.geom_b)));
}

void WideIslands::leave_new_ones(const ContactData& data, const ContactMemory& memory) {
  pressed_.assign(free_.size(), 0);
  members_.assign(free_.size(), 0);
  for (std::size_t t = 0; t < free_.size(); ++t) ++members_[at(root(static_cast<int>(t)))];
  for (const Patch& patch : data.patches) {
    const std::size_t r = island_of(patch);
    if (pressed_[r] || exact_[r]) continue;
    const int known = memory.find(patch.key());
    if (known < 0) continue;
    const PairMemory& pair = memory.pairs()[at(known)];
    for (std::uint32_t i = 0; i < pair.point_count && !pressed_[r]; ++i)
      for (const double x : memory.point_values(static_cast<int>(pair.point_begin + i)))
        if (x != 0) pressed_[r] = 1;
  }
  for (const Patch& patch : data.patches)
    if (const std::size_t r = island_of(patch); !pressed_[r] && members_[r] <= most_new_)
      exact_[r] = 1;
}

}  // namespace abut
