#include "abut/sweep/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#include "abut/contact/penalty/stiffness/mobility.h"
#include "abut/contact/registry.h"
#include "abut/load/load.h"
#include "abut/math/index.h"
#include "abut/math/suggest.h"
#include "abut/simulate/setting.h"
#include "abut/sweep/keys.h"
#include "abut/sweep/tune_search.h"

namespace abut {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kLeastRuns = 8;
constexpr double kDecades = 1000;  // of a range, from what a step can follow downwards
constexpr double kSpread = 0.4;    // part of the runs that look everywhere

struct TermName {
  std::string_view term, measure;
};
constexpr TermName kTerms[] = {
    {"penetration", "penetration.max"}, {"energy", "energy.rest"}, {"settling", "settling_time"}};

std::string_view plain_name(std::string_view key) { return key.substr(key.rfind('.') + 1); }

// What one step of semi-implicit Euler can follow at the corner that moves most easily, of all pairs:
// the softest and the stiffest (k h^2 / m = 4 without damping, c h / m = 2 without stiffness).
struct Followed {
  double least = kInfinite, most = 0;  // kg: masses that contacts meet
  double h = 0;                        // s
};

Followed followed(const TunePlan& plan) {
  Model model = load_model(plan.sweep.file);
  for (const SweepValue& v : plan.sweep.set)
    if (key_kind(v.key) == KeyKind::setting)
      apply_setting(model, v.key == "step" ? "timestep" : v.key, v.text, v.key);
  const Collider collider(model);
  const Mobility mobility(model, collider);
  Followed f{.h = model.option.timestep};
  for (int a = 0; a < collider.filter().count(); ++a)
    for (int b = a + 1; b < collider.filter().count(); ++b) {
      if (!collider.filter().allows(a, b) || !(mobility.worst(a, b) > 0)) continue;
      f.least = std::min(f.least, 1 / mobility.worst(a, b));
      f.most = std::max(f.most, 1 / mobility.worst(a, b));
    }
  if (f.most == 0) throw SweepError(plan.sweep.world + ": no two geoms of it can touch");
  return f;
}

const ModelSetting* gain_of(const TunePlan& plan, std::string_view name) {
  const ModelSetting* setting = contact_model(plan.model).info->setting(name);
  return setting != nullptr && setting->words.empty() ? setting : nullptr;
}

std::vector<std::string_view> gain_names(const TunePlan& plan) {
  std::vector<std::string_view> names;
  for (const ModelSetting& s : contact_model(plan.model).info->settings)
    if (s.words.empty()) names.push_back(s.name);
  return names;
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string out;
  for (const std::string_view w : words) out += (out.empty() ? "" : ", ") + std::string(w);
  return out;
}

// Ziegler and Nichols (1942): K_u is where an undamped contact begins to grow, k h^2 / m = 4, with
// the period T_u = 2 h; kp = 0.6 K_u, K_i = 1.2 K_u / T_u, K_d = 0.075 K_u T_u. ki is K_i h, since the sum
// of depths is over steps. A gain that has no range stays the world's; empty: there is none to set.
std::vector<double> ziegler_nichols(const TunePlan& plan, const Followed& f) {
  const double ku = 4 * f.least / (f.h * f.h);
  std::vector<double> gains;
  bool any = false;
  for (const TuneRange& r : plan.ranges) {
    const std::string_view name = plain_name(r.key);
    double gain = r.at(0.5);
    if (name == "kp") gain = 0.6 * ku, any = true;
    if (name == "ki") gain = 0.6 * ku;
    if (name == "kv") gain = 0.15 * ku * f.h, any = true;
    gains.push_back(r.where(gain));
  }
  return any ? gains : std::vector<double>();
}

// Workers, one a thread, that make a batch of trials.
class Trials {
 public:
  Trials(const TunePlan& plan, const TuneSettings& settings) : plan_(plan), settings_(settings) {
    SweepPlan sweep = plan.sweep;
    sweep.measures.clear();
    for (const TuneTerm& t : plan.terms) sweep.measures.emplace_back(measure_of_term(t.name));
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const int count =
        std::clamp(settings.threads > 0 ? settings.threads : cores, 1, TuneSearch::kBatch);
    for (int i = 0; i < count; ++i) workers_.push_back(std::make_unique<SweepWorker>(sweep));
  }

  // Fills in the measures, or the reason.
  void make(std::vector<TuneTrial>& batch) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&](SweepWorker& worker) {
      try {
        for (std::size_t i; !stopped() && (i = next++) < batch.size();) {
          const SweepRow row = worker.run_with(batch[i].gains, settings_.stop);
          if (stopped()) return;
          batch[i].measures = row.measures;
          if (row.status != "done") batch[i].reason = row.reason;
          const std::lock_guard lock(mutex);
          ++done_;
          if (settings_.progress) settings_.progress(done_, plan_.runs);
        }
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    };
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < std::min(workers_.size(), batch.size()); ++i)
      others.emplace_back([&, i] { work(*workers_[i]); });
    work(*workers_[0]);
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
  }
  bool stopped() const { return settings_.stop != nullptr && *settings_.stop; }

 private:
  const TunePlan& plan_;
  const TuneSettings& settings_;
  std::vector<std::unique_ptr<SweepWorker>> workers_;
  std::int64_t done_ = 0;
};

// Costs, and what measures are compared with: those of the first trial that ran.
class Costs {
 public:
  explicit Costs(const TunePlan& plan) : plan_(plan) {}

  void judge(TuneTrial& trial) {
    trial.cost = kInfinite;
    for (const double m : trial.measures)
      if (!std::isfinite(m)) trial.reason = "a measure is not finite";
    if (!trial.reason.empty() || trial.measures.empty()) {
      trial.measures.clear();
      return;
    }
    if (reference_.empty())
      for (const double m : trial.measures) reference_.push_back(m > 0 ? m : 1);
    trial.cost = 0;
    for (std::size_t i = 0; i < plan_.terms.size(); ++i)
      trial.cost += plan_.terms[i].weight * trial.measures[i] / reference_[i];
  }

 private:
  const TunePlan& plan_;
  std::vector<double> reference_;
};

TuneTrial trial_at(const TunePlan& plan, const TuneSearch::Point& x, std::string origin) {
  TuneTrial trial;
  trial.origin = std::move(origin);
  for (std::size_t k = 0; k < plan.ranges.size(); ++k)
    trial.gains.push_back({plan.ranges[k].key, fmt::format("{:.4g}", plan.ranges[k].at(x[k]))});
  return trial;
}

}  // namespace

double TuneRange::at(double x) const {
  return low > 0 ? low * std::pow(high / low, x) : low + x * (high - low);
}

double TuneRange::where(double y) const {
  const double x =
      low > 0 ? std::log(std::max(y, low) / low) / std::log(high / low) : (y - low) / (high - low);
  return std::clamp(x, 0.0, 1.0);
}

std::string_view measure_of_term(std::string_view name) {
  for (const TermName& t : kTerms)
    if (t.term == name) return t.measure;
  return {};
}

std::vector<std::string_view> tune_terms() {
  std::vector<std::string_view> names;
  for (const TermName& t : kTerms) names.push_back(t.term);
  return names;
}

std::vector<TuneRange> natural_ranges(const TunePlan& plan) {
  std::vector<TuneRange> ranges;
  const bool stiff = gain_of(plan, "kp") != nullptr, damped = gain_of(plan, "kv") != nullptr;
  if (!stiff && !damped)
    throw SweepError(
        fmt::format("contact {} has no kp or kv; write --vary KEY=LOW:HIGH with one of {}",
                    plan.model, joined(gain_names(plan))));
  const Followed f = followed(plan);
  const auto rounded = [](double x) { return std::stod(fmt::format("{:.2g}", x)); };
  const double k = f.most / (f.h * f.h), c = f.most / f.h;
  const double below = f.least / f.most / kDecades;
  if (stiff) ranges.push_back({plan.model + ".kp", rounded(4 * k * below), rounded(4 * k)});
  if (damped) ranges.push_back({plan.model + ".kv", rounded(2 * c * below), rounded(2 * c)});
  return ranges;
}

void check(const TunePlan& plan) {
  if (contact_model(plan.model).info->family != ContactFamily::forces)
    throw SweepError(fmt::format(
        "contact {} has no gains to tune; use multipoint, deepest, volumetric or quasirigid",
        plan.model));
  if (plan.terms.empty()) throw SweepError("there is nothing to measure");
  for (const TuneTerm& t : plan.terms) {
    if (measure_of_term(t.name).empty())
      throw SweepError(fmt::format("measure '{}': there are {}{}", t.name, joined(tune_terms()),
                                   did_you_mean(t.name, tune_terms())));
    if (!(t.weight > 0) || !std::isfinite(t.weight))
      throw SweepError(fmt::format("measure '{}': its weight must be positive", t.name));
  }
  if (plan.runs < kLeastRuns || plan.runs > 1'000'000)
    throw SweepError(fmt::format("runs: write a number from {} to 1000000", kLeastRuns));
  for (const TuneRange& r : plan.ranges) {
    const std::string_view name = plain_name(r.key);
    if (r.key != plan.model + "." + std::string(name) || gain_of(plan, name) == nullptr)
      throw SweepError(fmt::format("{} is no gain of contact {}; there are {}", r.key, plan.model,
                                   joined(gain_names(plan))));
    if (!(r.low >= 0) || !(r.high > r.low) || !std::isfinite(r.high))
      throw SweepError(fmt::format("{}: the range {:g}:{:g} must be LOW:HIGH, with 0 <= LOW < HIGH",
                                   r.key, r.low, r.high));
  }
}

TuneResult tune(const TunePlan& given, const TuneSettings& settings) {
  TunePlan plan = given;
  check(plan);
  if (plan.ranges.empty()) plan.ranges = natural_ranges(plan);
  plan.sweep.set.push_back({"contact", plan.model});
  Trials trials(plan, settings);
  Costs costs(plan);
  TuneSearch search(static_cast<int>(plan.ranges.size()), plan.seed,
                    static_cast<int>(kSpread * plan.runs));
  TuneResult result;
  const auto make = [&](std::vector<TuneTrial> batch,
                        const std::vector<TuneSearch::Point>& points) {
    trials.make(batch);
    if (trials.stopped()) return;
    std::vector<double> found;
    for (TuneTrial& t : batch) {
      t.number = static_cast<int>(result.trials.size());
      costs.judge(t);
      found.push_back(t.cost);
      result.failed += std::isfinite(t.cost) ? 0 : 1;
      result.trials.push_back(std::move(t));
    }
    if (!points.empty()) search.tell(points, found);
  };
  TuneTrial own;
  own.origin = "own";
  make({own}, {});
  if (const std::vector<double> x = ziegler_nichols(plan, followed(plan)); !x.empty())
    make({trial_at(plan, x, "ziegler-nichols")}, {x});
  while (static_cast<int>(result.trials.size()) < plan.runs && !trials.stopped()) {
    const char* origin = search.spreads() ? "spread" : "near";
    std::vector<TuneSearch::Point> points = search.next();
    points.resize(std::min(points.size(), at(plan.runs) - result.trials.size()));
    std::vector<TuneTrial> batch;
    for (const TuneSearch::Point& x : points) batch.push_back(trial_at(plan, x, origin));
    make(std::move(batch), points);
  }
  for (int i = 0; i < static_cast<int>(result.trials.size()); ++i)
    if (std::isfinite(result.trials[at(i)].cost) &&
        (result.best < 0 || result.trials[at(i)].cost < result.trials[at(result.best)].cost))
      result.best = i;
  return result;
}

std::string custom_block(const TuneTrial& trial) {
  if (trial.gains.empty()) return {};
  std::string out = "<custom>\n";
  for (const SweepValue& v : trial.gains)
    out += fmt::format("  <numeric name=\"abut.{}\" data=\"{}\"/>\n", v.key, v.text);
  return out + "</custom>\n";
}

}  // namespace abut
