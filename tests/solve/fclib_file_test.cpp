// FCLIB's files against libfclib itself, and problems from them against Siconos.
#include "abut/solve/fclib/fclib_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <unistd.h>

extern "C" {  // its header does not say so itself
#include <fclib.h>
}

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "abut/math/random.h"
#include "abut/solve/fclib/problem_formats.h"
#include "abut/solve/file/problem_file.h"
#include "abut/solve/generate/generate.h"

// HDF5 cannot let go of some objects of a damaged file, and Siconos keeps some for itself: leaks
// that the leak sanitizer, if there is one, would find and that are not ours.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\nleak:libsiconos\n"; }

namespace abut {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class Fclib : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("abut_fclib_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  fs::path folder_;
};

DenseRows dense(const Problem& p) {
  DenseRows A;
  p.A.to_dense(A);
  return A;
}

// A dense matrix as FCLIB's, in one of its three forms: 0 is triplets, 1 triplets with rows and
// columns as libfclib's header names them.
struct OwnedMatrix {
  std::vector<int> p, i;
  std::vector<double> x;
  fclib_matrix m{};

  OwnedMatrix(const Eigen::MatrixXd& a, int form) {
    const int rows = static_cast<int>(a.rows()), columns = static_cast<int>(a.cols());
    if (form < 0) p.push_back(0);
    for (int r = 0; r < (form == -1 ? columns : rows); ++r) {
      for (int c = 0; c < (form == -1 ? rows : columns); ++c) {
        const double value = form == -1 ? a(c, r) : a(r, c);
        if (value == 0) continue;
        if (form >= 0) p.push_back(form == 0 ? c : r);
        i.push_back(form == 0 ? r : c);
        x.push_back(value);
      }
      if (form < 0) p.push_back(static_cast<int>(x.size()));
    }
    m.m = rows, m.n = columns, m.nzmax = static_cast<int>(x.size());
    m.nz = form >= 0 ? m.nzmax : form;
    m.p = p.data(), m.i = i.data(), m.x = x.data();
  }
};

Eigen::MatrixXd random_matrix(int rows, int columns, SplitMix& random) {
  Eigen::MatrixXd a(rows, columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) a(r, c) = random.chance(3) ? 0 : random.uniform(-1, 1);
  return a;
}

TEST_F(Fclib, ReadsWhatLibfclibWrote) {
  SplitMix random(1);
  for (const int form : {0, -1, -2}) {
    const Eigen::MatrixXd W = random_matrix(6, 6, random), V = random_matrix(6, 2, random),
                          R = random_matrix(2, 2, random);
    OwnedMatrix w(W, form), v(V, form), r(R, form);
    std::vector<double> mu = {0.3, 0.7}, q = {1, 2, 3, 4, 5, 6}, s = {7, 8};
    char title[] = "two contacts", empty[] = "";
    fclib_info info{title, empty, empty};
    fclib_local local{&w.m, &v.m, &r.m, mu.data(), q.data(), s.data(), 3, &info};
    const std::string file = path("local.hdf5");
    fs::remove(file);
    ASSERT_EQ(fclib_write_local(&local, file.c_str()), 1);
    std::vector<double> u(6, 1), rr = {6, 5, 4, 3, 2, 1}, l = {9, 8};
    fclib_solution solution{nullptr, u.data(), rr.data(), l.data()};
    std::vector<double> unused(6, 0);
    solution.v = unused.data();
    ASSERT_EQ(fclib_write_solution(&solution, file.c_str()), 1);

    const ProblemFile f = read_problem(file);
    const Problem& p = f.problem;
    EXPECT_EQ(f.note, "two contacts");
    ASSERT_EQ(p.size(), 8);
    EXPECT_EQ(p.kind(), ProblemKind::cone);
    ASSERT_EQ(p.cones.size(), 2u);
    EXPECT_EQ(p.cones[1].first, 3);
    EXPECT_EQ(p.cones[1].mu, 0.7);
    EXPECT_TRUE(p.is_free(6) && p.is_free(7));
    Eigen::MatrixXd A(8, 8);
    A << W, V, V.transpose(), R;
    EXPECT_EQ(Eigen::MatrixXd(dense(p)), A) << form;
    VectorX b(8), z(8);
    b << 1, 2, 3, 4, 5, 6, 7, 8;
    z << 6, 5, 4, 3, 2, 1, 9, 8;
    EXPECT_EQ(p.b, b);
    EXPECT_EQ(f.solution, z);
    EXPECT_EQ(f.start.size(), 0);
  }
}

// u = H' v + w with M v = H r + G l + f, G' v + b = 0: what the reduced problem says of any
// (r, l) is what the two lines say.
TEST_F(Fclib, ReducesGlobalProblems) {
  SplitMix random(2);
  const int nv = 9, m = 6, free = 2;
  const Eigen::MatrixXd X = random_matrix(nv, nv, random), H = random_matrix(nv, m, random),
                        G = random_matrix(nv, free, random);
  for (const bool symmetric : {true, false}) {
    Eigen::MatrixXd M = X * X.transpose() + Eigen::MatrixXd::Identity(nv, nv);
    if (!symmetric) M += X - X.transpose();
    OwnedMatrix mm(M, 0), h(H, -1), g(G, -2);
    VectorX f = random_matrix(nv, 1, random).col(0), b = random_matrix(free, 1, random).col(0),
            w = random_matrix(m, 1, random).col(0);
    std::vector<double> mu = {0.1, 0.2, 0.3};  // in the plane: three contacts of two rows
    fclib_global global{&mm.m, &h.m, &g.m, mu.data(), f.data(), b.data(), w.data(), 2, nullptr};
    const std::string file = path("global.hdf5");
    fs::remove(file);
    ASSERT_EQ(fclib_write_global(&global, file.c_str()), 1);
    const Problem p = read_problem(file).problem;
    ASSERT_EQ(p.size(), m + free);
    ASSERT_EQ(p.cones.size(), 3u);
    EXPECT_EQ(p.cones[2].size, 2);

    const VectorX r = random_matrix(m, 1, random).col(0), l = random_matrix(free, 1, random).col(0);
    const VectorX v = M.partialPivLu().solve(H * r + G * l + f);
    VectorX expected(m + free), z(m + free), y;
    expected << H.transpose() * v + w, G.transpose() * v + b;
    z << r, l;
    p.A.multiply(z, y);
    EXPECT_LT((y + p.b - expected).lpNorm<Eigen::Infinity>(), 1e-10);
  }
}

TEST_F(Fclib, WritesWhatLibfclibReads) {
  ProblemFile out;
  out.problem = generate("stack", 36, 3);
  out.note = "a stack";
  Answer answer;
  answer.status = SolveStatus::solved;
  answer.z = VectorX::LinSpaced(out.problem.size(), 1, 2);
  answer.w = VectorX::LinSpaced(out.problem.size(), 3, 4);
  out.start = 2 * answer.z;
  const std::string file = path("stack.hdf5");
  write_problem(file, out, &answer);

  fclib_local* local = fclib_read_local(file.c_str());
  ASSERT_NE(local, nullptr);
  EXPECT_EQ(local->spacedim, 3);
  EXPECT_EQ(local->W->m, out.problem.size());
  EXPECT_STREQ(local->info->title, "a stack");
  DenseRows W = DenseRows::Zero(local->W->m, local->W->n);
  for (int k = 0; k < local->W->nz; ++k) W(local->W->i[k], local->W->p[k]) += local->W->x[k];
  EXPECT_EQ(W, dense(out.problem));
  for (int i = 0; i < out.problem.size(); ++i) EXPECT_EQ(local->q[i], out.problem.b[i]);
  for (std::size_t k = 0; k < out.problem.cones.size(); ++k)
    EXPECT_EQ(local->mu[k], out.problem.cones[k].mu);
  fclib_solution* solution = fclib_read_solution(file.c_str());
  ASSERT_NE(solution, nullptr);
  EXPECT_EQ(solution->r[1], answer.z[1]);
  EXPECT_EQ(solution->u[1], answer.w[1]);
  int guesses = 0;
  fclib_solution* guess = fclib_read_guesses(file.c_str(), &guesses);
  ASSERT_EQ(guesses, 1);
  EXPECT_EQ(guess[0].r[1], out.start[1]);

  fclib_delete_local(local);
  fclib_delete_solutions(solution, 1);
  fclib_delete_solutions(guess, guesses);
  std::free(local);  // it does not

  // and we read it again
  const ProblemFile again = read_problem(file);
  EXPECT_EQ(dense(again.problem), dense(out.problem));
  EXPECT_EQ(again.problem.b, out.problem.b);
  EXPECT_EQ(again.solution, answer.z);
  EXPECT_EQ(again.start, out.start);
}

// The signs and the order of components are Siconos's: its solution of the same W, q, mu is
// one of ours.
TEST_F(Fclib, MeansWhatSiconosMeans) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ProblemFile out;
    out.problem = generate("stack", 36, seed);
    const std::string file = path("siconos.hdf5");
    write_problem(file, out);
    fclib_local* local = fclib_read_local(file.c_str());
    ASSERT_NE(local, nullptr);
    const int n = local->W->m, contacts = n / 3;
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, n);  // by columns, as Siconos has it
    for (int k = 0; k < local->W->nz; ++k) W(local->W->i[k], local->W->p[k]) += local->W->x[k];

    FrictionContactProblem* peer = frictionContactProblem_new();
    peer->dimension = 3;
    peer->numberOfContacts = contacts;
    peer->M = NM_create_from_data(NM_DENSE, n, n, W.data());
    peer->q = local->q;
    peer->mu = local->mu;
    SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100'000;
    VectorX r = VectorX::Zero(n), u = VectorX::Zero(n);
    fc3d_driver(peer, r.data(), u.data(), options);

    const ProblemFile in = read_problem(file);
    VectorX w, scratch;
    EXPECT_LT(residuals(in.problem, r, w, scratch).relative, 1e-9) << seed;
    EXPECT_LT((w - u).lpNorm<Eigen::Infinity>(), 1e-9);
    solver_options_delete(options);
    std::free(options);
    // what is not its own must not be freed by it
    peer->M->matrix0 = nullptr;
    peer->q = peer->mu = nullptr;
    frictionContactProblem_free(peer);
    fclib_delete_local(local);
    std::free(local);
  }
}

// 3 x 6 in both orders of triplets: only one of them fits.
TEST_F(Fclib, ReadsTripletsInEitherOrder) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Identity(3, 3), H = Eigen::MatrixXd::Zero(3, 6);
  H << 1, 2, 0, 3, 0, 4, 0, 5, 6, 0, 7, 0, 8, 0, 9, 0, 1, 2;
  for (const int form : {0, 1}) {
    OwnedMatrix mm(M, form), h(H, form);
    std::vector<double> mu = {0.1, 0.2}, f(3, 1), w(6, 1);
    fclib_global global{&mm.m, &h.m, nullptr, mu.data(), f.data(), nullptr, w.data(), 3, nullptr};
    const std::string file = path("order.hdf5");
    fs::remove(file);
    ASSERT_EQ(fclib_write_global(&global, file.c_str()), 1);
    EXPECT_EQ(Eigen::MatrixXd(dense(read_problem(file).problem)), H.transpose() * H) << form;
  }
}

// As in some of the public files.
TEST_F(Fclib, DoesWithoutASolutionThatWasNeverWritten) {
  ProblemFile f;
  f.problem = generate("stack", 12, 1);
  const std::string file = path("unwritten.hdf5");
  write_problem(file, f);
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hsize_t size = 12;
  const hid_t group = H5Gcreate2(id, "solution", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t set =
      H5Dcreate2(group, "r", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dclose(set);
  H5Sclose(space);
  H5Gclose(group);
  H5Fclose(id);
  EXPECT_EQ(read_problem(file).solution.size(), 0);
}

TEST_F(Fclib, RefusesWhatTheFormatCannotSay) {
  ProblemFile f;
  f.problem = generate("definite", 4, 1);
  EXPECT_THROW(write_problem(path("x.hdf5"), f), FileError);
  f.problem = parse_problem(R"({"A": [[1,0,1],[0,1,0],[2,0,1]], "b": [1,2,3], "free": [2],
      "cones": [{"rows": [0, 1], "mu": 1}]})",
                            "p")
                  .problem;
  EXPECT_THROW(write_problem(path("x.hdf5"), f), FileError);
  f.problem.A.rows()(2, 0) = 1;
  EXPECT_NO_THROW(write_problem(path("x.hdf5"), f));
  EXPECT_EQ(dense(read_problem(path("x.hdf5")).problem), f.problem.A.rows());
  EXPECT_THROW(write_problem("/no/such/folder/x.hdf5", f), FileError);
}

// Each file is wrong in one way: an error that names it, and silence on stderr.
TEST_F(Fclib, SaysWhatIsWrong) {
  std::ofstream(path("text.hdf5")) << "no HDF5 at all";
  std::ofstream(path("empty.hdf5"));
  ProblemFile f;
  f.problem = generate("stack", 12, 1);
  const std::string good = path("good.hdf5");
  write_problem(good, f);
  std::ifstream in(good, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  std::ofstream(path("cut.hdf5"), std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  testing::internal::CaptureStderr();
  for (const char* name : {"text.hdf5", "empty.hdf5", "cut.hdf5", "none.hdf5"}) {
    try {
      read_problem(path(name));
      ADD_FAILURE() << name;
    } catch (const FileError& e) {
      EXPECT_THAT(e.what(), HasSubstr(name));
    }
  }
  // bytes changed here and there: an error or a problem, never worse
  SplitMix random(5);
  int refused = 0;
  for (int k = 0; k < 150; ++k) {
    std::string broken = bytes;
    for (int c = 0; c < 4; ++c)
      broken[random.bits() % broken.size()] = static_cast<char>(random.bits());
    std::ofstream(path("broken.hdf5"), std::ios::binary) << broken;
    try {
      EXPECT_EQ(read_problem(path("broken.hdf5")).problem.what_is_wrong(), "");
    } catch (const FileError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 10);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// Matrices and vectors whose sizes do not fit, through libfclib.
TEST_F(Fclib, SaysWhichSizeIsWrong) {
  SplitMix random(3);
  const Eigen::MatrixXd W = random_matrix(6, 6, random);
  std::vector<double> mu = {0.3, 0.7, 0.2}, q = {1, 2, 3, 4, 5, 6};
  const auto error_of = [&](int m, int spacedim, int bad_index) -> std::string {
    OwnedMatrix w(W.topLeftCorner(m, m), 0);
    if (bad_index >= 0) w.p[0] = bad_index;
    fclib_local local{&w.m, nullptr, nullptr, mu.data(), q.data(), nullptr, 3, nullptr};
    const std::string file = path("sizes.hdf5");
    fs::remove(file);
    fclib_write_local(&local, file.c_str());
    // libfclib would end the program over another number
    const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen2(id, "fclib_local/spacedim", H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &spacedim);
    H5Dclose(set);
    H5Fclose(id);
    try {
      read_problem(file);
    } catch (const FileError& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_EQ(error_of(6, 3, -1), "none");
  EXPECT_THAT(error_of(6, 2, -1), HasSubstr("/fclib_local/vectors/mu has 2 numbers, not 3"));
  EXPECT_THAT(error_of(6, 4, -1), HasSubstr("/fclib_local/spacedim is 4: 2 or 3 can be"));
  EXPECT_THAT(error_of(3, 2, -1), HasSubstr("has 3 rows, no multiple of 2"));
  EXPECT_THAT(error_of(6, 3, 6), HasSubstr("has an entry at row 0, column 6"));
}

}  // namespace
}  // namespace abut
