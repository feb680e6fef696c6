// The states a scene is evaluated at, as a text file that every participant reads:
// the sizes nq, nv and the number of states, then q, v and tau of each.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Sample {
  std::vector<double> q, v;  // MuJoCo's layout
  std::vector<double> tau;   // generalized force: M v' + bias = tau
};

inline std::vector<Sample> read_states(const std::string& file) {
  std::ifstream in(file);
  std::size_t nq = 0, nv = 0, count = 0;
  in >> nq >> nv >> count;
  std::vector<Sample> samples(count);
  for (Sample& s : samples) {
    s.q.resize(nq);
    s.v.resize(nv);
    s.tau.resize(nv);
    for (std::vector<double>* numbers : {&s.q, &s.v, &s.tau})
      for (double& x : *numbers) in >> x;
  }
  if (!in) throw std::runtime_error(file + ": not a file of states");
  return samples;
}
