// The experiments there are, and how they are chosen.
//
//   for (const auto& choice : abut::reproduce::select({"002"})) choice.experiment->run({});
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "abut/reproduce/experiment.h"

namespace abut::reproduce {

std::span<const Experiment> experiments();  // by paper, then by number

// An id that is neither a paper, an experiment nor a check; what() lists those there are.
class UnknownId : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Choice {
  const Experiment* experiment = nullptr;
  std::vector<std::string> checks;  // those asked for; empty: all of it

  bool wants(const std::string& check) const;
};

// By paper ("002", or its letter "K"; docs/references.md), by experiment ("K-X4") or by check
// ("K-T9"); small letters will do. No ids: everything. In the order of experiments(), each once.
std::vector<Choice> select(std::span<const std::string> ids);

}  // namespace abut::reproduce
