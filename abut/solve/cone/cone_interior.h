// The interior-point method of cone.h: positive pairs (x, s) of each piece, and Newton steps
// towards x o s = 0.
#pragma once

#include <vector>

#include "abut/solve/cone/cone_pieces.h"

namespace abut {

class ConeInterior {
 public:
  // Starts from z = `force` on all normals and s = 1.
  void start(const ScaledPieces& pieces, double force);

  // One predictor-corrector step. False: the numbers gave out, nothing more will come.
  bool step(const ScaledPieces& pieces, NewtonMatrix& A);

  const VectorX& z() const { return z_; }  // scaled; strictly inside
  double last_step() const { return last_step_; }
  double gap() const;  // mean x . s

 private:
  // for a cone: x, s of the standard cone. For a row: x[0] = z - lo with s[0], x[1] = hi - z with
  // s[1], if the row has these bounds.
  struct State {
    double x[3], s[3], dx[3], ds[3];
    double lambda[3], W[9], inverse[9];  // Nesterov and Todd
    double aim[3];  // target of x o s: right side of the complementarity row. Cones: W^-1 of it
    double Wdx[3];
    double slip;    // |s_t|, smooth where it is small
    double off[3];  // s - |s_t| e - (A z + b), to become 0
  };

  void scale_cone(State& state, int size) const;
  void prepare(const ScaledPieces::Piece& piece, State& state, DiagonalBlock& block) const;
  void aim(const ScaledPieces::Piece& piece, State& state, double target, bool correct);
  void step_of(const ScaledPieces::Piece& piece, const VectorX& half, State& state) const;
  double longest(const ScaledPieces::Piece& piece, const State& state) const;
  void take_care();
  double smooth_slip(const State& state, int size) const;
  double infeasibility(const ScaledPieces& pieces) const;
  double product(const ScaledPieces::Piece& piece, const State& state, double step) const;

  std::vector<State> states_;
  std::vector<DiagonalBlock> blocks_;
  VectorX z_, dz_, w_, r_;
  double last_step_ = 1;
  double gap_ = 1;
  double share_of_slip_ = 1;  // of the derivative of |s_t|
  int careful_ = 0;           // steps that take less than all of it
  double left_out_ = 0;       // the part that these leave out
  int barriers_ = 1;
};

}  // namespace abut
