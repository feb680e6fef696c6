// Experiment: one experiment of a paper, run through abut's public interface, and the checks it is
// held to.
//
// A row of an experiment says two things. `pass` is whether abut holds its own bound (`expected`),
// which follows from the equations. `claim` is whether the paper's own statement comes out, with
// the paper's own settings. The two are independent: nothing here is tuned to agree, and what does
// not come out says why.
//
//   abut::reproduce::Outcome outcome = experiment.run({});
//   for (const abut::reproduce::Check& check : outcome.checks) show(check.id, check.measured);
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "abut/math/types.h"
#include "abut/shape/drawing.h"

namespace abut::reproduce {

// A number, several, words, or nothing.
using Value = std::variant<std::monostate, double, std::vector<double>, std::string>;

// The numbers as one would type them; "" for nothing.
std::string to_text(const Value& value);

// Whether what a paper says comes out.
enum class Claim {
  none,            // the paper says nothing of it, or it cannot be run here
  yes,             // with what the paper prints; what it leaves open is chosen, not fitted
  no,              // not with what the paper prints
  not_as_printed,  // it does once something is changed or fitted to the paper's number
};
std::string_view name(Claim claim);  // "yes", "no", "not as printed"; "" for none

// What a paper prints of a row, and whether that comes out.
struct Printed {
  Value value = {};
  Claim claim = Claim::none;
  std::string why = {};  // not yes: what differs, and why it is thought to
};
// With the paper's settings: yes or no.
Printed as_printed(Value value, bool comes_out, std::string why_not = {});
// With something changed or fitted: not as printed, or no.
Printed if_changed(Value value, bool comes_out, std::string change);
// It cannot be run here.
Printed not_run(Value value, std::string why);

// A number comes out if it is within a fifth of the printed one.
inline constexpr double kNear = 0.2;
bool near(double ours, double printed);

struct Check {
  std::string id;             // "K-T9"
  std::string statement;      // what is said to hold, in a sentence
  Printed paper = {};         // nothing: it prints nothing of it
  std::string expected;       // our own bound: "<= 1e-14"
  Value measured;             // by this run
  std::optional<bool> pass;   // nothing: reported only
  std::string settings = {};  // all that one must type, then what the scene is
  std::string world = {};     // name of the world it ran, if it ran one
  std::string column = {};    // contact model, in a table of laws times models; empty: none
  bool own_bound = false;     // `expected` came from our own results, and not from a derivation
  bool timed = false;         // judged by a clock: the verdict may differ between runs
};

// Curves for a plot; view/ draws them.
struct Graph {
  struct Curve {
    std::string name;
    std::vector<Vec2> points;  // x ascending
  };
  std::string title;
  std::string x, x_unit, y, y_unit;
  std::vector<Curve> curves;
  struct Level {  // a number of the paper, to compare with
    double y = 0;
    std::string name;
  };
  std::vector<Level> levels = {};
};

struct Outcome {
  std::vector<Check> checks;
  std::vector<Graph> graphs;
  std::vector<Drawing> drawings;
};

// Told the share of the work that is done, from 0 to 1, now and then. May be empty.
using Progress = std::function<void(double)>;

struct Experiment {
  const char* id;                       // "K-X4"
  const char* seed;                     // "002"
  const char* figure;                   // "Fig. 5"; "" if it is none (papers.h has each check's)
  const char* title;                    // in a line
  std::span<const char* const> checks;  // ids, as in the outcome
  Outcome (*run)(const Progress& progress);
};

}  // namespace abut::reproduce
