// Coulomb's law at one contact, solved exactly: given the block A (2 x 2 or 3 x 3, positive
// definite, any off-diagonal) and b, find z in the cone |z_t| <= mu z_n with w = A z + b such that
// the contact
//
//   leaves   z = 0, w_n >= 0
//   sticks   w = 0
//   slides   w_n = 0, |z_t| = mu z_n, w_t = -lambda z_t with lambda > 0
//
// The first of the three cases that holds is the answer. Sliding: elimination of z_n leaves (S +
// lambda 1) z_t = -c with S the Schur complement of A_nn. The curve z(lambda) starts at the
// sticking solution, outside the cone, and ends at z_t = 0, z_n = -b_n / A_nn > 0, inside. So some
// lambda lies on the cone's boundary, whatever mu is, and Newton's method inside the bracket finds
// it. The function is mu z_n / |z_t| - 1, which is nearly linear in lambda (as in the secular
// equation of trust regions, More and Sorensen 1983).
//
//   abut::OneContact c;
//   c.set(A, 3, 0.5);      // row major, stride 3
//   if (!c.solve(b, z)) .. // A is not positive on the normal
#pragma once

namespace abut {

class OneContact {
 public:
  // `stride` is the distance of rows in `a`. Called once per matrix. Then `solve` costs a sticking
  // test, about 20 operations, and the root only if the contact slides.
  void set(const double* a, int stride, int size, double mu);

  // Returns false if A_nn <= 0 with b_n < 0 (no force stops the approach); then z is unchanged. `z`
  // is output only.
  bool solve(const double* b, double* z) const;

  int size() const { return size_; }
  double mu() const { return mu_; }

 private:
  double shift_and_solve(double lambda, const double* c, double* zt) const;
  bool stick(const double* c, double bn, double* z) const;
  void slide(const double* c, double bn, double* z) const;
  double polish(double lambda, double bn, const double* c, double* zt) const;
  double normal_for(double bn, const double* zt) const;

  int size_ = 3;
  double mu_ = 0;
  double nn_ = 0;               // A_nn
  double nt_[2] = {0, 0};       // A_nt
  double tn_[2] = {0, 0};       // A_tn / A_nn
  double s_[4] = {1, 0, 0, 1};  // A_tt - A_tn A_nt / A_nn, row major; in the plane 1 x 1 and a 1
  double s_scale_ = 0;
};

}  // namespace abut
