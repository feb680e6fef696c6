#include "abut/contact/complementarity/peg/peg_islands.h"

#include <algorithm>

#include "abut/math/index.h"

namespace abut {

PegIslands::PegIslands(const Model& model) : model_(model) {
  are_one_ =
      !model.equalities.empty() || std::any_of(model.trees.begin(), model.trees.end(),
                                               [](const Tree& tree) { return !tree.free_body; });
}

int PegIslands::tree_of(int geom) const {
  const int link = model_.bodies[at(model_.geoms[at(geom)].body)].link;
  return link < 0 ? -1 : model_.links[at(link)].tree;
}

bool PegIslands::share(const PegChoice& a, const PegChoice& b) const {
  for (const int ga : {a.geom_a, a.geom_b})
    for (const int gb : {b.geom_a, b.geom_b})
      if (tree_of(ga) >= 0 && tree_of(ga) == tree_of(gb)) return true;
  return false;
}

void PegIslands::label(std::span<PegChoice> choices) const {
  for (std::size_t i = 0; i < choices.size(); ++i) {
    choices[i].island = are_one_ ? 0 : static_cast<int>(i);
    for (std::size_t k = 0; !are_one_ && k < i; ++k) {
      if (choices[k].island == choices[i].island || !share(choices[k], choices[i])) continue;
      const auto [keep, give_up] = std::minmax({choices[k].island, choices[i].island});
      for (PegChoice& c : choices.first(i + 1))
        if (c.island == give_up) c.island = keep;
    }
  }
  for (const PegChoice& c : choices)
    for (PegChoice& other : choices) other.fresh |= c.fresh && c.island == other.island;
}

void PegIslands::take(const PegTrial& from, int island, PegTrial& part) const {
  part.clear();
  for (const PegChoice& c : from.choices)
    if (c.island == island) part.choices.push_back(c);
  if (are_one_) {
    part.change = from.change;
    part.about = from.about;
    return;
  }
  part.change.assign(from.change.size(), 0.0);
  part.about.assign(from.change.size(), 0.0);
  copy_change(part.choices, from.change, part.change);
  if (!from.about.empty()) copy_change(part.choices, from.about, part.about);
}

// The first choice of an island has the motion of all.
void PegIslands::put(const PegTrial& part, PegTrial& into) const {
  auto c = into.choices.begin();
  for (const PegChoice& solved : part.choices) {
    while (c->key != solved.key) ++c;
    *c = solved;
    c->fresh = false;
    c->motion = &solved == part.choices.data() ? part.motion : 0;
  }
  copy_change(part.choices, part.change, into.change);
  into.about.resize(into.change.size(), 0.0);
  copy_change(part.choices, part.about, into.about);
}

double PegIslands::largest(std::span<const PegChoice> choices, std::span<const double> u) const {
  if (are_one_) return largest_of(u);
  double most = 0;
  for (const PegChoice& c : choices)
    for (const int geom : {c.geom_a, c.geom_b}) {
      if (tree_of(geom) < 0) continue;
      const Tree& tree = model_.trees[at(tree_of(geom))];
      most = std::max(most, largest_of(u.subspan(at(tree.dof_begin), at(tree.dof_count))));
    }
  return most;
}

void PegIslands::copy_change(std::span<const PegChoice> choices, std::span<const double> from,
                             std::span<double> into) const {
  if (are_one_) {
    std::copy(from.begin(), from.end(), into.begin());
    return;
  }
  for (const PegChoice& c : choices)
    for (const int geom : {c.geom_a, c.geom_b}) {
      if (tree_of(geom) < 0) continue;
      const Tree& tree = model_.trees[at(tree_of(geom))];
      std::copy_n(from.begin() + tree.dof_begin, tree.dof_count, into.begin() + tree.dof_begin);
    }
}

void PegIslands::free_others(PegTrial& trial) const {
  for (int t = 0; t < static_cast<int>(model_.trees.size()); ++t) {
    const bool is_held = std::any_of(
        trial.choices.begin(), trial.choices.end(),
        [&](const PegChoice& c) { return tree_of(c.geom_a) == t || tree_of(c.geom_b) == t; });
    if (is_held) continue;
    const Tree& tree = model_.trees[at(t)];
    for (std::vector<double>* of : {&trial.change, &trial.about})
      std::fill_n(of->begin() + tree.dof_begin, tree.dof_count, 0.0);
  }
}

}  // namespace abut
