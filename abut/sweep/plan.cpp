#include "abut/sweep/plan.h"

#include <fmt/format.h>

#include <cmath>

#include "abut/math/hash.h"
#include "abut/math/random.h"

namespace abut {

namespace {

SplitMix stream_of(const SweepPlan& plan, std::int64_t run, std::string_view key) {
  Hash h;
  h.value(plan.seed);
  h.value(static_cast<std::uint64_t>(run));
  h.text(key);
  return SplitMix(h.digest());
}

// A point of the open unit disc and its squared distance from the middle, which is not 0.
struct DiscPoint {
  double x, y, s;
};
DiscPoint in_disc(SplitMix& random) {
  for (;;) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), s = x * x + y * y;
    if (s > 0 && s < 1) return {x, y, s};
  }
}

// Marsaglia's polar method.
double gauss(SplitMix& random) {
  const DiscPoint p = in_disc(random);
  return p.x * std::sqrt(-2 * std::log(p.s) / p.s);
}

double draw_number(const SweepDraw& d, std::size_t i, SplitMix& random) {
  const double low = d.low[i], high = d.high[i];
  switch (d.kind) {
    case DrawKind::log:
      return std::exp(random.uniform(std::log(low), std::log(high)));
    case DrawKind::normal:
      return low + high * gauss(random);
    case DrawKind::integer:
      return random.integer(static_cast<int>(low), static_cast<int>(high));
    default:
      return random.uniform(low, high);
  }
}

// All rotations alike (Marsaglia 1972): w, x, y, z.
std::string draw_rotation(SplitMix& random) {
  const DiscPoint a = in_disc(random), b = in_disc(random);
  const double r = std::sqrt((1 - a.s) / b.s);
  return fmt::format("{},{},{},{}", a.x, a.y, b.x * r, b.y * r);
}

std::string draw_text(const SweepPlan& plan, std::int64_t run, const SweepDraw& d) {
  SplitMix random = stream_of(plan, run, d.key);
  if (d.kind == DrawKind::rotation) return draw_rotation(random);
  if (d.kind == DrawKind::choice)
    return d.choices[static_cast<std::size_t>(
        random.integer(0, static_cast<int>(d.choices.size()) - 1))];
  std::string text;
  for (std::size_t i = 0; i < d.low.size(); ++i)
    text += (i > 0 ? "," : "") + number_text(draw_number(d, i, random));
  return text;
}

}  // namespace

std::string number_text(double x) { return fmt::format("{}", x); }

std::int64_t SweepPlan::runs() const {
  std::int64_t n = draws;
  for (const SweepAxis& axis : grid) n *= static_cast<std::int64_t>(axis.values.size());
  return n;
}

std::vector<SweepValue> values_of(const SweepPlan& plan, std::int64_t run) {
  std::vector<SweepValue> values(plan.grid.size());
  std::int64_t point = run / plan.draws;
  // the last key of the grid changes first
  for (std::size_t i = plan.grid.size(); i-- > 0;) {
    const SweepAxis& axis = plan.grid[i];
    const auto n = static_cast<std::int64_t>(axis.values.size());
    values[i] = {axis.key, axis.values[static_cast<std::size_t>(point % n)]};
    point /= n;
  }
  for (const SweepDraw& d : plan.random) values.push_back({d.key, draw_text(plan, run, d)});
  return values;
}

std::uint64_t seed_of(const SweepPlan& plan, std::int64_t run) {
  return stream_of(plan, run, "").bits();
}

}  // namespace abut
