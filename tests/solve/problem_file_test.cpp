// Problems as JSON: what is read, what comes back, and what is said about mistakes.
#include "abut/solve/file/problem_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/solve/generate/generate.h"

namespace abut {
namespace {

using testing::HasSubstr;

ProblemFile parse(const std::string& text) { return parse_problem(text, "p.json"); }

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const FileError& e) {
    return e.what();
  }
  return "none";
}

DenseRows dense(const Problem& p) {
  DenseRows A;
  p.A.to_dense(A);
  return A;
}

void expect_same(const Problem& p, const Problem& q, const std::string& what) {
  ASSERT_EQ(p.size(), q.size()) << what;
  EXPECT_EQ(p.kind(), q.kind()) << what;
  EXPECT_EQ(dense(p), dense(q)) << what;
  EXPECT_EQ(p.b, q.b) << what;
  EXPECT_EQ(p.bound_by, q.bound_by) << what;
  EXPECT_EQ(p.mu, q.mu) << what;
  ASSERT_EQ(p.cones.size(), q.cones.size()) << what;
  for (std::size_t k = 0; k < p.cones.size(); ++k) {
    EXPECT_EQ(p.cones[k].first, q.cones[k].first);
    EXPECT_EQ(p.cones[k].size, q.cones[k].size);
    EXPECT_EQ(p.cones[k].mu, q.cones[k].mu);
  }
  for (int i = 0; i < p.size(); ++i) {
    EXPECT_EQ(p.lo[i], q.lo[i]) << what << " " << i;
    EXPECT_EQ(p.hi[i], q.hi[i]) << what << " " << i;
  }
}

TEST(ProblemFile, ReadsRowsListsAndTriplets) {
  const Problem rows =
      parse(R"({"kind": "lcp", "n": 2, "A": [[2, 1], [0, 3]], "b": [-1, 1]})").problem;
  EXPECT_EQ(rows.kind(), ProblemKind::lcp);
  EXPECT_EQ(rows.A.rows()(0, 1), 1);
  EXPECT_EQ(rows.A.rows()(1, 0), 0);
  expect_same(rows, parse(R"({"A": [2, 1, 0, 3], "b": [-1, 1]})").problem, "flat");
  const Problem sparse =
      parse(R"({"A": {"triplets": [[1, 1, 3], [0, 0, 2], [0, 1, 1]]}, "b": [-1, 1]})").problem;
  EXPECT_EQ(sparse.A.form(), Matrix::Form::blocks);
  expect_same(rows, sparse, "triplets");
}

TEST(ProblemFile, ReadsBounds) {
  const Problem p = parse(R"({"kind": "boxed", "A": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]],
      "b": [0, 0, 0, 0], "lo": [-1, null, "-inf", 0], "hi": ["inf", 2, null, "Infinity"],
      "hi_of": [[1, 3, 0.5]]})")
                        .problem;
  EXPECT_EQ(p.lo[0], -1);
  EXPECT_EQ(p.hi[0], kInfinity);
  EXPECT_TRUE(p.is_free(2));
  EXPECT_EQ(p.bound_by[1], 3);
  EXPECT_EQ(p.mu[1], 0.5);
  EXPECT_EQ(p.kind(), ProblemKind::boxed);
  EXPECT_TRUE(parse(R"({"A": [[1]], "b": [1], "free": [0]})").problem.is_free(0));
}

// Rows of cones in any order: the problem has them side by side, answers go back.
TEST(ProblemFile, PutsTheRowsOfConesTogether) {
  const ProblemFile f = parse(R"({"kind": "cone", "b": [10, 20, 30, 40, 50, 60], "A": {"triplets":
      [[0,0,1],[1,1,2],[2,2,3],[3,3,4],[4,4,5],[5,5,6],[0,5,7]]}, "hi_of": [[1, 3, 0.25]],
      "cones": [{"rows": [4, 0, 2], "mu": 0.5}]})");
  const Problem& p = f.problem;
  EXPECT_EQ(f.file_row, (std::vector<int>{4, 0, 2, 1, 3, 5}));
  EXPECT_EQ(p.cones[0].first, 0);
  VectorX b(6);
  b << 50, 10, 30, 20, 40, 60;
  EXPECT_EQ(p.b, b);
  EXPECT_EQ(dense(p)(0, 0), 5);
  EXPECT_EQ(dense(p)(1, 5), 7);  // file's (0, 5)
  EXPECT_EQ(p.bound_by[3], 4);
  VectorX z(6);
  z << 4, 0, 2, 1, 3, 5;
  VectorX back(6);
  back << 0, 1, 2, 3, 4, 5;
  EXPECT_EQ(in_file_order(f, z), back);
  EXPECT_EQ(from_file_order(f, back), z);
  const ProblemFile again = parse(problem_text(f));
  EXPECT_EQ(again.file_row, f.file_row);
  expect_same(p, again.problem, "permuted");
}

TEST(ProblemFile, SameOrderNeedsNoPermutation) {
  const ProblemFile f = parse(R"({"A": {"triplets": []}, "b": [1,2,3,4,5],
      "cones": [{"rows": [3, 4], "mu": 0.1}, {"rows": [0, 1, 2], "mu": 0.2}]})");
  EXPECT_TRUE(f.file_row.empty());
  EXPECT_EQ(f.problem.cones[0].mu, 0.2);
  EXPECT_EQ(f.problem.cones[1].size, 2);
}

TEST(ProblemFile, ComesBackWithTheSameBits) {
  for (const Family& f : families())
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      ProblemFile file;
      file.problem = generate(f.name, 14, seed);
      file.note = "of \"" + std::string(f.name) + "\"\n";
      const ProblemFile again = parse(problem_text(file));
      EXPECT_EQ(again.note, file.note);
      expect_same(file.problem, again.problem, std::string(f.name));
    }
}

TEST(ProblemFile, ExtremeNumbersComeBack) {
  ProblemFile file;
  file.problem = Problem::lcp(2);
  file.problem.A.rows() << 5e-324, 1.7976931348623157e308, -0.0, 0.1;
  file.problem.b << 1e-310, -1.0 / 3;
  const Problem again = parse(problem_text(file)).problem;
  EXPECT_EQ(again.A.rows()(0, 0), 5e-324);
  EXPECT_TRUE(std::signbit(again.A.rows()(1, 0)));
  expect_same(file.problem, again, "extreme");
}

TEST(ProblemFile, SaysWhatIsWrongAndWhere) {
  const std::string start = "{\"A\": [[1, 0],\n [0, 1]],\n";
  const std::pair<std::string, std::string> cases[] = {
      {"", "p.json:1: "},
      {"[1, 2]", "p.json:1: is a list, not a problem"},
      {"{\"A\": [[1]], \"b\": [1]", "p.json:1: "},
      {start + "\"b\": [1, NaN]}", "p.json:3: "},
      {start + "\"b\": [1, NaN]}", "JSON has no NaN"},
      {start + "\"b\": [1, 1e999]}", "1e999"},
      {start + "\"b\": [1, null]}", "p.json:3: b[1]: is null, not a number"},
      {start + "\"b\": [1, \"2\"]}", "p.json:3: b[1]: is \"2\", not a number"},
      {start + "\"b\": [1]}", "p.json:1: A: has 2 rows, b has 1 numbers: 1 are wanted"},
      {start + "\"n\": 1e18, \"b\": [1, 2]}", "p.json:3: n: is 1e+18, but b has 2 numbers"},
      {start + "\"n\": -1, \"b\": [1, 2]}", "n: is -1, not a number of rows"},
      {start + "\"n\": 2}", "b: is missing"},
      {"{\"b\": [1]}", "A: is missing"},
      {"{\"A\": [[1, 2], [3]], \"b\": [1, 2]}", "A[1]: has 1 numbers, b has 2"},
      {"{\"A\": [[1, 2], 3], \"b\": [1, 2]}", "A[1]: is 3, not a row"},
      {"{\"A\": [[1, 2], [3, true]], \"b\": [1, 2]}", "A[1][1]: is true, not a number"},
      {"{\"A\": [1, 2, 3], \"b\": [1, 2]}", "A: has 3 numbers"},
      {"{\"A\": {\"triplets\": [[0, 2, 1]]}, \"b\": [1, 2]}", "A.triplets[0][1]: is 2, not a row"},
      {"{\"A\": {\"triplets\": [[0, 0.5, 1]]}, \"b\": [1, 2]}", "A.triplets[0][1]: is 0.5"},
      {"{\"A\": {\"triplets\": [[0, 1, 1], [0, 1, 2]]}, \"b\": [1, 2]}",
       "A.triplets: row 0, column 1 is there twice"},
      {"{\"A\": {\"triplet\": []}, \"b\": [1]}", "A: write {\"triplets\""},
      {start + "\"b\": [1, 2], \"b\": [1, 2]}", "b: is there twice"},
      {start + "\"b\": [1, 2],\n\"lo\": [0]}", "p.json:4: lo: has 1 numbers, b has 2"},
      {start + "\"b\": [1, 2], \"lo\": [3, 0], \"hi\": [2, 1]}", "row 0: lo = 3"},
      {start + "\"b\": [1, 2], \"lo\": [\"big\", 0]}", "lo[0]: is \"big\": write a number, null"},
      {start + "\"b\": [1, 2], \"free\": [2]}", "free[0]: is 2, not a row: 0 .. 1 can be"},
      {start + "\"b\": [1, 2], \"free\": [1, 1]}", "free[1]: row 1 is there twice"},
      {start + "\"b\": [1, 2], \"free\": [1], \"hi\": [1, 1]}", "row 1 has bounds in lo or hi too"},
      {start + "\"b\": [1, 2], \"hi_of\": [[0, 1]]}", "hi_of[0]: write [i, j, mu]"},
      {start + "\"b\": [1, 2], \"hi_of\": [[0, 1, -1]]}", "mu = -1"},
      {start + "\"b\": [1, 2], \"hi_of\": [[0, 0, 1]]}", "row 0 is bound by row 0"},
      {start + "\"b\": [1, 2], \"hi_of\": [[1, 0, 1]], \"free\": [1]}",
       "hi_of[0]: row 1 is in free too"},
      {start + "\"b\": [1, 2], \"cones\": [{\"rows\": [0, 1], \"mu\": 1}], \"free\": [1]}",
       "cones[0]: row 1 is in free too"},
      {start + "\"b\": [1, 2], \"cones\": [{\"rows\": [0, 0], \"mu\": 1}]}",
       "cones[0]: row 0 is in a cone already, 0"},
      {start + "\"b\": [1, 2], \"cones\": [{\"rows\": [0], \"mu\": 1}]}", "cones[0]: has 1 rows"},
      {start + "\"b\": [1, 2], \"cones\": [{\"rows\": [0, 1]}]}", "cones[0]: write {\"rows\""},
      {start + "\"b\": [1, 2], \"cones\": [{\"rows\": [0, 1], \"mu\": -1}]}", "cones[0].mu: is -1"},
      {start + "\"b\": [1, 2], \"kind\": \"lp\"}", "kind: is \"lp\"; there are lcp, mlcp"},
      {start + "\"b\": [1, 2], \"kind\": \"lcp\", \"free\": [0]}",
       "kind: is \"lcp\", but the rows make it mlcp"},
  };
  for (const auto& [text, message] : cases) EXPECT_THAT(error_of(text), HasSubstr(message)) << text;
}

// Memory follows what the file holds, not what it claims.
TEST(ProblemFile, ALargeSparseProblemStaysSmall) {
  std::string b = "0";
  for (int i = 1; i < 100'000; ++i) b += ",0";
  const Problem p = parse("{\"A\": {\"triplets\": [[0, 99999, 1]]}, \"b\": [" + b + "]}").problem;
  EXPECT_EQ(p.size(), 100'000);
  EXPECT_EQ(p.A.blocks().values.size(), 100'001u);
  EXPECT_THAT(error_of("{\"A\": [[1]], \"b\": [" + b + "]}"), HasSubstr("A: has 1 rows"));
}

TEST(ProblemFile, FieldsOfOthersAreIgnoredWithAWarning) {
  const ProblemFile f = parse("{\"A\": [[1]],\n\"b\": [1], \"fre\": [0]}");
  ASSERT_EQ(f.warnings.size(), 1u);
  EXPECT_THAT(f.warnings[0], HasSubstr("p.json:2: fre means nothing here"));
}

TEST(ProblemFile, FilesThatAreNone) {
  EXPECT_THROW(read_json_problem("/no/such/file.json"), FileError);
  EXPECT_THROW(read_json_problem(testing::TempDir()), FileError);
  EXPECT_THROW(write_json_problem("/no/such/folder/p.json", parse(R"({"A": [[1]], "b": [1]})")),
               FileError);
}

}  // namespace
}  // namespace abut
