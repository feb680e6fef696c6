#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "abut/math/suggest.h"
#include "abut/solve/cone/cone.h"
#include "abut/solve/newton/fischer_burmeister.h"
#include "abut/solve/newton/lmmcp.h"
#include "abut/solve/pivoting/block_pivoting.h"
#include "abut/solve/pivoting/dantzig.h"
#include "abut/solve/pivoting/enumerate.h"
#include "abut/solve/pivoting/lemke.h"
#include "abut/solve/pivoting/murty.h"
#include "abut/solve/solver.h"
#include "abut/solve/sweeping/nncg.h"
#include "abut/solve/sweeping/nsgs.h"
#include "abut/solve/sweeping/pgs.h"
#include "abut/solve/wrap/chain.h"

namespace abut {

namespace {

std::vector<SolverEntry>& all_solvers() {
  // one solver a line
  static std::vector<SolverEntry> all{
      SolverEntry{&lemke_info(), make_lemke}, SolverEntry{&dantzig_info(), make_dantzig},
      SolverEntry{&murty_info(), make_murty}, SolverEntry{&pivot_info(), make_pivot},
      SolverEntry{&pgs_info(), make_pgs},     SolverEntry{&nncg_info(), make_nncg},
      SolverEntry{&fb_info(), make_fb},       SolverEntry{&lmmcp_info(), make_lmmcp},
      SolverEntry{&enum_info(), make_enum},   SolverEntry{&nsgs_info(), make_nsgs},
      SolverEntry{&cone_info(), make_cone},   SolverEntry{&bodies_info(), make_bodies},
  };
  return all;
}

}  // namespace

std::span<const SolverEntry> solvers() { return all_solvers(); }

void add_solver(const SolverEntry& entry) {
  if (entry.info == nullptr || entry.make == nullptr || entry.info->name.empty() ||
      entry.info->name == "auto" || entry.info->name.find(',') != std::string_view::npos)
    throw std::invalid_argument(
        "a solver needs a name (not 'auto', no comma), a SolverInfo and a "
        "make function");
  if (find_solver(entry.info->name) != nullptr)
    throw std::invalid_argument(
        fmt::format("there is a solver '{}' already; choose another name", entry.info->name));
  all_solvers().push_back(entry);
}

const SolverInfo* find_solver(std::string_view name) {
  for (const SolverEntry& s : solvers())
    if (s.info->name == name) return s.info;
  return nullptr;
}

namespace {

std::unique_ptr<Solver> make_one(std::string_view name) {
  std::vector<std::string_view> present{"auto"};
  for (const SolverEntry& s : solvers()) {
    if (s.info->name == name) return s.make();
    present.push_back(s.info->name);
  }
  throw std::invalid_argument(
      fmt::format("there is no solver '{}'{}; there are {}, and chains such as a,b,c", name,
                  did_you_mean(name, present), fmt::join(present, ", ")));
}

}  // namespace

std::unique_ptr<Solver> make_solver(std::string_view name, const SolveOptions& options) {
  // The chain that `auto` stands for, chosen by the tables of docs/solvers.md. dantzig is the
  // fastest for symmetric A, also with box friction, and declines quickly if A is not symmetric.
  // lemke solves every family of plain problems. lmmcp and enum are for matrices of no class. cone
  // is for cones; nncg and nsgs are for cone problems that it does not accept.
  if (name == "auto") name = "dantzig,lemke,lmmcp,enum,cone,nncg,nsgs";
  std::vector<std::unique_ptr<Solver>> links;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t comma = std::min(name.find(',', at), name.size());
    links.push_back(make_one(name.substr(at, comma - at)));
    at = comma + 1;
  }
  std::unique_ptr<Solver> solver =
      links.size() == 1 ? std::move(links.front()) : make_chain(std::move(links));
  solver->options = options;
  return solver;
}

}  // namespace abut
