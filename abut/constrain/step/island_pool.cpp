#include "abut/constrain/step/island_pool.h"

#include <algorithm>
#include <numeric>

#include "abut/math/index.h"

namespace abut {

namespace {

// Rows of a step below which threads are not woken: they take some microseconds to come.
constexpr long kFewRows = 96;

bool is_kept(const StepRows& rows, std::span<const int> island,
             std::span<const std::uint8_t> kept) {
  return !kept.empty() && std::all_of(island.begin(), island.end(), [&](int g) {
    const int c = rows.contact_of(g);
    return c >= 0 && kept[at(rows.contacts()[at(c)].patch)] != 0;
  });
}

void copy_rows(const StepRows& rows, std::span<const int> island, std::span<const double> from,
               std::span<double> to) {
  for (const int g : island)
    for (int k = 0; k < rows.group(g).size; ++k)
      to[at(rows.group(g).row + k)] = from[at(rows.group(g).row + k)];
}

}  // namespace

IslandPool::IslandPool(const StepSettings& settings) : settings_(settings) {
  solvers_.push_back(std::make_unique<IslandSolver>(settings_));
}

void IslandPool::limit_cones(int most) {
  most_cones_ = most;
  for (auto& s : solvers_) s->solvers().limit_cones(most);
}

void IslandPool::watch(const std::function<void(const Problem&, const Answer&)>& seen) {
  watched_ = static_cast<bool>(seen);
  solvers_.front()->solvers().for_each([&](Solver& s) { s.watch = seen; });
}

void IslandPool::solve(const Islands& islands, const StepRows& rows, const RightHandSide& rhs,
                       std::span<const double> start, double proximal,
                       std::span<const std::uint8_t> kept, std::span<double> p) {
  const int shares = share_out(islands, rows);
  reports_.resize(at(islands.count()));
  const auto work = [&](int share) {
    IslandSolver& solver = *solvers_[at(share)];
    for (const int island : share_[at(share)]) {
      solver.begin();
      if (is_kept(rows, islands.groups(island), kept))
        copy_rows(rows, islands.groups(island), start, p);
      else
        solver.solve(rows, rhs, islands.groups(island), start, proximal, p);
      reports_[at(island)] = solver.report();
    }
  };
  if (shares == 1)
    work(0);
  else
    threads_->run(shares, work);
  for (const SolveReport& r : reports_) report_.add(r);
}

// The largest island goes first, each to the solver that has the least to do. Returns the number of
// solvers with work.
int IslandPool::share_out(const Islands& islands, const StepRows& rows) {
  const int count = islands.count();
  weight_.assign(at(count), 0);
  long total = 0;
  for (int i = 0; i < count; ++i) {
    for (const int g : islands.groups(i)) weight_[at(i)] += rows.group(g).size;
    total += weight_[at(i)];
  }
  const int most = threads_ == nullptr || watched_ || total < kFewRows ? 1 : threads_->count();
  const int shares = std::clamp(count, 1, most);
  while (std::ssize(solvers_) < shares) {
    solvers_.push_back(std::make_unique<IslandSolver>(settings_));
    solvers_.back()->solvers().limit_cones(most_cones_);
  }
  if (std::ssize(share_) < std::ssize(solvers_)) share_.resize(solvers_.size());
  for (auto& share : share_) share.clear();
  order_.resize(at(count));
  std::iota(order_.begin(), order_.end(), 0);
  if (shares > 1)
    std::sort(order_.begin(), order_.end(), [&](int a, int b) {
      return weight_[at(a)] != weight_[at(b)] ? weight_[at(a)] > weight_[at(b)] : a < b;
    });
  load_.assign(at(shares), 0);
  for (const int island : order_) {
    const auto least = std::min_element(load_.begin(), load_.end());
    *least += weight_[at(island)];
    share_[at(static_cast<int>(least - load_.begin()))].push_back(island);
  }
  return shares;
}

}  // namespace abut
