// Experiment: one experiment of a paper, run through abut's public interface, and the
// checks it is held to.
//
// A check has two numbers to be compared with: what the paper printed, and the bound that
// follows from its equations (`expected`). Where the paper's number does not come out, the
// row says so: nothing here is tuned to agree.
//
//   abut::reproduce::Outcome outcome = experiment.run({});
//   for (const abut::reproduce::Check& check : outcome.checks) show(check.id, check.measured);
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "abut/math/types.h"
#include "abut/shape/drawing.h"

namespace abut::reproduce {

// A number, several, words, or nothing.
using Value = std::variant<std::monostate, double, std::vector<double>, std::string>;

// The numbers as one would type them; "" for nothing.
std::string to_text(const Value& value);

struct Check {
  std::string id;             // "K-T9"
  std::string claim;          // what is said to hold, in a sentence
  Value paper = {};           // printed in the paper; nothing: it prints no number
  std::string expected;       // the bound: "<= 1e-14"
  Value measured;             // by this run
  std::optional<bool> pass;   // nothing: reported only
  std::string settings = {};  // what it takes to do it again: sizes, seeds, tolerances
  std::string world = {};     // name of the world it ran, if it ran one
  std::string column = {};    // contact model, in a table of laws times models; empty: none
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
  const char* figure;                   // "Fig. 5"; "" if it is none
  const char* title;                    // in a line
  std::span<const char* const> checks;  // ids, as in the outcome
  Outcome (*run)(const Progress& progress);
};

}  // namespace abut::reproduce
