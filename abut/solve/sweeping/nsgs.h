// Nonsmooth Gauss-Seidel (Jourdan, Alart, Jean 1998): sweeps over the contacts; each contact is
// solved exactly (one_contact.h) while the others are fixed. Rows beside the cones are blocks of
// their own: a plain or bounded row is solved alone, a run of free rows by the inverse of its
// square of A (so that joints are solved together, redundant ones too).
//
//   auto solver = abut::make_solver("nsgs", {.tolerance = 1e-6});
//
// It converges linearly. Its strength is a fair answer after a few sweeps, at any mu and for
// redundant contacts. Mass ratios and tall stacks cost thousands of sweeps: see cone.h.
#pragma once

#include <memory>

#include "abut/solve/solver.h"
#include "abut/solve/sweeping/one_contact.h"
#include "abut/solve/sweeping/row_access.h"

namespace abut {

// The sweep alone, for solvers that start with sweeps.
class ContactSweep {
 public:
  // Analyses the problem, which must stay alive and unchanged while sweeps are made.
  void set(const Problem& problem);
  // One sweep over all pieces, z changed in place. False: a piece could not be solved (a
  // diagonal that is not positive); z is as it was there.
  bool run(VectorX& z);

 private:
  struct Piece {
    enum class Kind { row, cone, free } kind;
    int first, size;
    int index;  // of a cone: into contacts_; of free rows: into inverses_
  };

  void add_free(int first, int size);
  bool solve_piece(const Piece& piece, double* z);
  bool solve_cone(const Piece& piece, double* z) const;
  bool solve_row(int i, double* z) const;
  void solve_free(const Piece& piece, double* z) const;

  const Problem* problem_ = nullptr;
  RowAccess rows_;
  std::vector<Piece> pieces_;
  std::vector<OneContact> contacts_;
  std::vector<double> cone_blocks_;  // 9 each
  std::vector<double> diagonal_;     // of plain rows
  std::vector<double> inverses_;
  mutable std::vector<double> w_;
  std::vector<int> pivot_rows_;
  std::vector<double> before_, change_;  // of a piece
};

const SolverInfo& nsgs_info();
std::unique_ptr<Solver> make_nsgs();

}  // namespace abut
