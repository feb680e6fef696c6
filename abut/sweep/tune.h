// Tuning: gains of a penalty model for a world, by trial: runs with other gains, a cost of each, and a
// search for the least (tune_search.h).
//
//   cost = sum of weight * measure / what the measure is with the world's own gains
//
// Trials: the world's own gains, those of Ziegler and Nichols where the model has kp and kv, then
// the search's. Which they are depends on world, ranges, measures, seed and number of runs alone.
//
//   abut::TunePlan plan{.sweep = .., .model = "multipoint", .ranges = .., .terms = ..};
//   abut::TuneResult result = abut::tune(plan, {.threads = 0});
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/sweep/worker.h"

namespace abut {

// A gain, and where it may be. In logarithms, unless `low` is 0.
struct TuneRange {
  std::string key;  // "multipoint.kp"
  double low = 0, high = 0;

  double at(double x) const;     // 0 <= x <= 1
  double where(double y) const;  // its inverse, cut to 0 .. 1
};

// What is to be small.
struct TuneTerm {
  std::string name = {};  // penetration, energy, settling
  double weight = 1;
};
// The measures of sweeps that these names stand for; empty: there is no such name.
std::string_view measure_of_term(std::string_view name);
std::vector<std::string_view> tune_terms();

struct TunePlan {
  SweepPlan sweep;    // world, and what is the same for all runs
  std::string model;  // of contact
  std::vector<TuneRange> ranges;
  std::vector<TuneTerm> terms;
  std::uint64_t seed = 1;
  int runs = 64;
};

struct TuneTrial {
  int number = 0;
  std::string origin;             // own, ziegler-nichols, spread, near
  std::vector<SweepValue> gains;  // none: the world's own
  std::vector<double> measures;   // one a term; none: the run failed
  double cost = 0;                // infinite: the run failed
  std::string reason;             // of that
};

struct TuneResult {
  std::vector<TuneTrial> trials;  // in the order of their numbers
  int best = -1;                  // index of the trial; -1: all failed
  int failed = 0;
};

struct TuneSettings {
  int threads = 0;  // 0: all cores
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::int64_t done, std::int64_t all)> progress =
      {};  // from one thread at a time
};

// Ranges of kp and kv that nobody gave: below what one step can follow. Throws SweepError for a model
// without them, or a world in which nothing can touch.
std::vector<TuneRange> natural_ranges(const TunePlan& plan);

// Throws SweepError for what cannot be: a model without gains, a key that is none of its gains, a
// range without room.
void check(const TunePlan& plan);
TuneResult tune(const TunePlan& plan, const TuneSettings& settings);

// <custom> with the gains of a trial, to be pasted into the world; empty: they are the world's own.
std::string custom_block(const TuneTrial& trial);

}  // namespace abut
