// Tolerances of the room solve. All of them are relative: a solver has no units, and each constant
// says what it is a fraction of. "Noise" is what rounding leaves of a number whose exact value is 0.
#pragma once

namespace abut {

// ---- all solvers ----

// Fraction of 1 + max|b| (Residuals::relative). An answer within it is solved, unless
// SolveOptions says otherwise.
// Too large: contacts visibly penetrate or stick. Too small: solvers iterate to their limits and
// report failures that are rounding.
inline constexpr double kSolveTolerance = 1e-10;

// Fraction of a row's own terms (Residuals::row_scaled). A row that is off by more is not solved.
// Rows that consist of rounding alone reach any value below it: 0.035 was seen beside a residual of
// 6e-18.
// Too large: an answer that ignores a row in small units passes. Too small: solved problems fail.
inline constexpr double kRowWrong = 0.1;

// Fraction of a row's own terms. A chain with `every_row` asks one more link if a row of a solved
// answer is off by more.
// Too large: rows in small units stay inaccurate. Too small: chains solve problems twice.
inline constexpr double kRowOff = 1e-6;

// Fraction of 1 + max|z|. Solutions that differ by less in every entry are one solution: in the
// enumeration of all solutions, and in the search from several starts.
// Too large: distinct solutions merge. Too small: one solution is listed several times.
inline constexpr double kSameEnumerated = 1e-8, kSameFromStarts = 1e-6;

// ---- pivoting: dantzig, small_tableau, murty, pivot ----

// Fraction of the sum of |terms| of a w. A w below it has no sign.
// Too large: rows that are slightly wrong pass, and the residual fails. Too small: rows change
// sides because of noise, and pivoting cycles.
inline constexpr double kRowNoise = 1e-13;

// Fraction of the driven row's step. A row that moves less does not block it.
// Too large: a bound is passed. Too small: noise blocks, and a step of length 1e15 follows.
inline constexpr double kDriveStill = 1e-12;

// Fraction of a reach. The driven row goes first if its reach is as near as this.
// Too large: a bound is passed by this much. Too small: ties take extra pivots.
inline constexpr double kDriveTie = 1e-12;

// Fraction of the sum of |terms| of A d. Below it A d = 0: the square root of the noise of a Schur
// complement.
// Too large: a wrong proof that the problem has no solution. Too small: no proof is found.
inline constexpr double kNullDirection = 1e-7;

// Fraction of the squared size that a Schur complement is the rest of. Below it the complement is 0.
// Too large: a regular row counts as redundant. Too small: division by noise.
inline constexpr double kSchurRounding = 1e-15;

// Fraction of A_ii. A Schur complement below it means that the row depends on the active rows; the
// bound grows with the number of rows (active_factor.cpp).
// Too large: independent rows are left out. Too small: redundant contacts make the factor singular.
inline constexpr double kDependentRow = 1e-12;

// Fraction of A_ii. A pivot of the small tableau between kDependentRow and this is mostly rounding:
// the general code takes over.
// Too large: the fast code gives up for nothing. Too small: it returns inaccurate answers.
inline constexpr double kDoubtfulPivot = 1e-7;

// Fraction of |A_ij| + |A_ji|, or of sqrt(A_ii A_jj). Entries that differ by less are symmetric.
// Too large: an unsymmetric A is treated as symmetric, and the answer is wrong. Too small: a
// symmetric A with rounding is refused.
inline constexpr double kSymmetricEntries = 1e-12, kSymmetricDiagonal = 1e-14;

// Fraction of the diagonal. The least shift of proximal points, A + eps D.
// Too large: many rounds. Too small: the shifted matrix is as singular as A.
inline constexpr double kLeastProximal = 1e-6;

// ---- pivoting: lemke ----

// Fraction of the largest entry of a column. Smaller entries are no pivots: with 1e-11, one
// semidefinite problem in ten of 200 rows pivots on noise; with 1e-7 to 1e-9 none does. The first
// restart uses the finer one, for matrices whose true pivots are that small.
// Too large: a ray is reported where there is a solution. Too small: pivots on noise.
inline constexpr double kLemkePivot = 1e-8, kLemkeFinePivot = 1e-11;

// Fraction of the least ratio. Rows within it tie, and the lexicographic rule decides.
// Too large: a row leaves too late and its variable becomes negative. Too small: noise decides, and
// degenerate problems cycle.
inline constexpr double kLemkeTie = 1e-13;

// Fraction of the largest entry of M after equilibration. The first shift eps of M + eps I.
// Too large: the shifted solution is far from one of M. Too small: more restarts.
inline constexpr double kLemkeFirstShift = 1e-10;

// Fraction of the largest entry of a column. The error of the core's inverse above which it is
// computed anew.
// Too large: inaccurate pivots. Too small: the inverse is computed anew at every pivot.
inline constexpr double kLemkeMostDrift = 1e-9;

// Fraction of the numbers that were subtracted. A smaller difference is 0, so that ties are visible.
// Too large: small values vanish. Too small: ties are missed.
inline constexpr double kLemkeNoise = 1e-14;

// The same for the entries of a computed column, as a fraction of its largest entry.
inline constexpr double kLemkeColumnNoise = 1e-13;

// Fraction of the sum of |terms|. Inequalities of a proof of infeasibility hold to this.
// Too large: a wrong proof. Too small: no proof is accepted.
inline constexpr double kLemkeProof = 1e-9;

// Fraction of 1 + max|q|. A residual above it is refined further.
// Too large: digits are lost. Too small: refinement for nothing.
inline constexpr double kLemkeRefine = 1e-14;

// Fraction of the size of an inverse's column. Entries within it are equal in the lexicographic
// comparison.
// Too large: the order is not lexicographic. Too small: noise decides it.
inline constexpr double kLexicographicNoise = 1e-12;

// Absolute, just above the smallest doubles: a pivot below it is 0.
inline constexpr double kNoPivot = 1e-300;

// ---- pivoting: rows of other kinds as an LCP, enumeration ----

// Fraction of the largest entry of equilibrated equations. Pivots below it count as 0 in the rank.
// Too large: a regular system loses a solution. Too small: a singular one gets a wrong solution.
inline constexpr double kEquationRank = 1e-12;

// Fraction of the largest b of the free rows. Redundant free rows are consistent within it.
// Too large: contradicting joints are accepted. Too small: consistent ones are called infeasible.
inline constexpr double kConsistentRows = 1e-9;

// Fraction of the largest entry of an inequality. Smaller entries are no pivots.
// Too large: a feasible point is missed. Too small: pivots on noise.
inline constexpr double kSimplexPivot = 1e-11;

// Fraction of a row's |terms|. Equations that the rank left out must hold to this.
// Too large: choices without a solution are searched. Too small: solutions are missed.
inline constexpr double kLeftOutEquation = 1e-10;

// ---- sweeping ----

// Fraction of the largest pivot of a run of free rows. Smaller pivots are redundant joints.
// Too large: joints are ignored. Too small: division by noise.
inline constexpr double kRedundantJoint = 1e-12;

// Fraction of the size of S times machine epsilon. The least lambda at which bisection by exponents
// starts (one_contact.cpp).
// Too large: small lambdas take more steps. Too small: bisection takes more steps.
inline constexpr double kLeastLambda = 1e-3;

// ---- cone ----

// Relative residual. The interior point tries to finish by Newton's method from here on.
// Too large: attempts in vain. Too small: more interior-point steps.
inline constexpr double kFinishFrom = 1e-4;

// Ratio of a velocity and a force in scaled units: bounds of rho.
// Too narrow: tall stacks lose digits. Too wide: overflow of a nearly zero force.
inline constexpr double kLeastRho = 1e-8, kMostRho = 1e4;

// Added to the diagonal of A (which is 1) in Newton steps, for the tries of one start in turn. Small
// where the steps converge at once; larger where redundant sliding contacts make the system nearly
// singular, so that steps along its null space stay short.
// Too large: slow convergence. Too small: very long steps.
inline constexpr double kFinishShifts[] = {1e-10, 1e-4, 1e-4, 1e-4};

// The same for the walk over contact states.
inline constexpr double kWalkShift = 1e-8;

// The same for the steps after each stride of the walk, which must not go on along the null space.
inline constexpr double kSettleShift = 1e-4;

// cone: residual below which the walk is tried. Larger: it walks through more states than it has
// steps. Smaller: interior points that stall above it end unsolved.
inline constexpr double kWalkFrom = 1e-5;

// bodies: residual of many bodies that no second start is spent on. Larger: unsolved problems stay
// so. Smaller: falling piles cost twice as much.
inline constexpr double kManySolved = 1e-8;

// Fraction of the radius mu z_n. A contact this near to the border between sticking and sliding is
// on the border.
// Too large: sweeps replace Newton's method for nothing. Too small: Newton's method alternates
// between states.
inline constexpr double kOnBorder = 1e-6;

// Stiffness, in scaled units, of a weak spring on free rows, so that redundant joints do no harm.
// Too large: slow convergence. Too small: a singular system.
inline constexpr double kFreeShift = 1e-9;

// Squares of lengths between which a plain sum of squares neither underflows nor overflows; hypot,
// which is several times slower, is for the others.
inline constexpr double kLeastSquare = 1e-280, kMostSquare = 1e280;

// ---- newton ----

// Fraction of the expected decrease in Armijo's rule.
// Too large: steps are shortened for nothing. Too small: steps that gain nothing are taken.
inline constexpr double kArmijo = 1e-4;

// Fraction of a step. A line search that arrives here has failed.
// Too large: descent is given up early. Too small: many evaluations without a gain.
inline constexpr double kShortestStep = 1e-12;

// |H' phi| / |phi|. Below it a point is stationary.
// Too large: solutions are missed. Too small: the method creeps.
inline constexpr double kStationaryPoint = 1e-13;

// Fraction of psi = 1/2 |phi|^2. A step must have a slope of at most minus this; Newton's step has
// -2 psi. The usual test against |s|^2.1 is not used: with nearly redundant contacts, a long step
// with little gain is right.
// Too large: good steps are refused. Too small: steps that do not descend are taken.
inline constexpr double kFbDescent = 1e-8;

// |H s + phi| / |phi|. Above it the linear system was not solved.
// Too large: bad steps. Too small: damped steps replace good ones.
inline constexpr double kFbSolved = 1e-6;

// Factor of psi between two attempts of Newton's method on the natural map.
// Too large: attempts in vain. Too small: more steps of the slower method.
inline constexpr double kFbMore = 1e-2;

// Weight of the first proximal round, in scaled units.
// Too large: more rounds. Too small: the first round is as flat as the problem.
inline constexpr double kFbFirstPull = 1e-2;

// Factor of min(1, |phi|^2) in the damping of a Levenberg-Marquardt step.
// Too large: slow convergence. Too small: long steps where the Jacobian is singular.
inline constexpr double kFbDamping = 1e-2;

// Kanzow and Petra's damping mu, and its value where J is singular in phases I and II (lmmcp.h).
inline constexpr double kLmmcpMu = 1e-16, kLmmcpMuPhaseOne = 1e-6, kLmmcpMuPhaseTwo = 0.1;

// Smallest singular value. Above it kLmmcpMu is below rounding and is left out.
inline constexpr double kLmmcpMuMatters = 1e-4;

// Condition number of J above which it is singular: sqrt(1e25) for lmmcp (Kanzow and Petra bound
// J'J), 1e12 for Newton's method on the natural map.
// Too large: steps along noise. Too small: damping slows convergence.
inline constexpr double kLmmcpSingular = 3.1622776601683793e12, kNaturalSingular = 1e12;

// Damping of the two attempts of a singular Newton step on the natural map. Too much leaves part of
// the residual, too little follows noise; the better result is taken.
inline constexpr double kNaturalDamping[] = {1e-12, 1e-20};

// ---- linear algebra ----

// Fraction of the scaled column. A pivot of an LU factorisation below it is 0.
// Too large: regular systems are refused. Too small: solutions are noise.
inline constexpr double kLuSingular = 1e-13;

// Fraction of the squared first norm of a column. Below it the norm is computed anew, because
// updates by Pythagoras have lost their digits.
// Too large: more work. Too small: wrong pivots of the QR factorisation.
inline constexpr double kNormLost = 1e-8;

// Fraction of the largest pivot of a group. Smaller pivots are noise.
// Too large: A is approximated. Too small: redundant contacts are not reduced.
inline constexpr double kGroupRank = 1e-13;

// Fraction of |A||x|. If L B L' x differs more from A x, A is not symmetric positive semidefinite.
// Too large: a wrong reduction. Too small: no reduction of a matrix with rounding.
inline constexpr double kReductionFits = 1e-9;

// Fraction of the right-hand side. Refinement ends at this residual.
// Too large: lost digits. Too small: rounds in vain.
inline constexpr double kRefined = 1e-14;

// ---- solvers that wrap others ----

// Fraction of the diagonal, added to the matrix of free rows before it is factored.
// Too large: slow refinement. Too small: redundant joints make the factor singular.
inline constexpr double kFreeRegular = 1e-12;

// Fraction of a row's |terms|. Refinement of free rows ends at this residual: rounding.
// Too large: joints drift. Too small: rounds in vain.
inline constexpr double kFreeExact = 1e-15;

// ---- files ----

// Fraction of 1 + max|f|. M of a global FCLIB problem is singular if M (M^-1 f) is off by more.
// Too large: a wrong problem is read. Too small: good files are refused.
inline constexpr double kMassDivided = 1e-6;

// Fraction of |M|. M is symmetric if |M - M'| is less.
// Too large: the unsymmetric part of M is ignored. Too small: the slower factorisation.
inline constexpr double kMassSymmetric = 1e-14;

}  // namespace abut
