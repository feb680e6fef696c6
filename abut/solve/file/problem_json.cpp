// Reads a problem from JSON; every error names file, line and field.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "abut/solve/file/problem_file.h"
#include "abut/solve/file/triplets.h"

namespace abut {

namespace {

using Json = nlohmann::json;

constexpr const char* kFields[] = {"kind", "n",  "A",     "b",     "free",
                                   "lo",   "hi", "hi_of", "cones", "note"};

int line_at(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + at, '\n'));
}

// The line of a field of the outermost object, which nlohmann's values do not store.
int line_of_field(std::string_view text, std::string_view field) {
  const std::string quoted = fmt::format("\"{}\"", field);
  for (std::size_t at = 0; (at = text.find(quoted, at)) != text.npos; ++at) {
    const std::size_t after = text.find_first_not_of(" \t\r\n", at + quoted.size());
    if (after != text.npos && text[after] == ':') return line_at(text, at);
  }
  return 1;
}

// The JSON of a value for messages, shortened.
std::string shown(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  std::string s = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (s.size() > 40) s = s.substr(0, 37) + "..";
  return s;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  ProblemFile read() {
    root_ = parse();
    if (!root_.is_object())
      throw FileError(fmt::format(
          "{}:1: is {}, not a problem: write {{\"kind\": \"lcp\", \"n\": 2, \"A\": .., \"b\": ..}}",
          name_, shown(root_)));
    note_unknown_fields();
    read_size();
    read_rows();
    read_cones();
    read_matrix();
    check();
    return std::move(out_);
  }

 private:
  Json parse() const {
    std::set<std::string> seen;
    std::string twice;
    const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
      if (depth == 1 && event == Json::parse_event_t::key)
        if (const auto key = value.get<std::string>(); !seen.insert(key).second) twice = key;
      return true;
    };
    Json root;
    try {
      root = Json::parse(text_, watch);
    } catch (const Json::parse_error& e) {
      std::string what = e.what();
      if (const auto column = what.find("column"); column != what.npos)
        if (const auto colon = what.find(": ", column); colon != what.npos)
          what = what.substr(colon + 2);
      const std::size_t at = e.byte > 0 ? e.byte - 1 : 0;
      if (what.find("invalid literal") != what.npos)
        what += "; JSON has no NaN or Infinity: an infinite bound is null or \"inf\"";
      throw FileError(fmt::format("{}:{}: {}", name_, line_at(text_, at), what));
    } catch (const Json::exception& e) {  // a number beyond double's range
      std::string what = e.what();
      if (const auto end = what.find("] "); end != what.npos) what = what.substr(end + 2);
      throw FileError(fmt::format("{}: {}", name_, what));
    }
    if (!twice.empty()) fail(twice, "is there twice");
    return root;
  }

  [[noreturn]] void fail(std::string_view field, const std::string& what,
                         const std::string& at = "") const {
    throw FileError(
        fmt::format("{}:{}: {}{}: {}", name_, line_of_field(text_, field), field, at, what));
  }

  // Files may have fields of their own, but a misspelt field should be noticed.
  void note_unknown_fields() {
    for (const auto& [key, value] : root_.items())
      if (std::find(std::begin(kFields), std::end(kFields), key) == std::end(kFields))
        out_.warnings.push_back(fmt::format("{}:{}: {} means nothing here; there are {}", name_,
                                            line_of_field(text_, key), key,
                                            fmt::join(kFields, ", ")));
  }

  const Json* find(const char* field) const {
    const auto it = root_.find(field);
    return it == root_.end() ? nullptr : &*it;
  }
  const Json& list(const char* field) const {
    const Json* value = find(field);
    if (!value) fail(field, "is missing");
    if (!value->is_array()) fail(field, fmt::format("is {}, not a list", shown(*value)));
    return *value;
  }
  double number(const Json& value, const char* field, const std::string& at) const {
    if (!value.is_number()) fail(field, fmt::format("is {}, not a number", shown(value)), at);
    return value.get<double>();
  }
  int index(const Json& value, const char* field, const std::string& at) const {
    const double x = value.is_number() ? value.get<double>() : -1;
    if (!(x >= 0 && x < n_) || x != std::floor(x))
      fail(field, fmt::format("is {}, not a row: 0 .. {} can be", shown(value), n_ - 1), at);
    return static_cast<int>(x);
  }

  void read_size() {
    const Json& b = list("b");
    constexpr std::size_t kMost = 100'000'000;
    if (b.size() > kMost) fail("b", fmt::format("has {} numbers, more than {}", b.size(), kMost));
    n_ = static_cast<int>(b.size());
    if (const Json* n = find("n")) {
      if (!n->is_number() || n->get<double>() < 0 ||
          n->get<double>() != std::floor(n->get<double>()))
        fail("n", fmt::format("is {}, not a number of rows", shown(*n)));
      if (n->get<double>() != n_)
        fail("n", fmt::format("is {}, but b has {} numbers", shown(*n), n_));
    }
    Problem& p = out_.problem;
    p.resize(n_);
    for (int i = 0; i < n_; ++i) p.b[i] = number(b[i], "b", fmt::format("[{}]", i));
    if (const Json* note = find("note")) {
      if (!note->is_string()) fail("note", fmt::format("is {}, not text", shown(*note)));
      out_.note = note->get<std::string>();
    }
  }

  double bound(const Json& value, const char* field, int i, double if_null) const {
    if (value.is_null()) return if_null;
    if (value.is_string()) {
      const auto s = value.get<std::string>();
      if (s == "inf" || s == "+inf" || s == "Infinity") return kInfinity;
      if (s == "-inf" || s == "-Infinity") return -kInfinity;
      fail(field, fmt::format("is {}: write a number, null, \"inf\" or \"-inf\"", shown(value)),
           fmt::format("[{}]", i));
    }
    return number(value, field, fmt::format("[{}]", i));
  }
  void read_bounds(const char* field, double if_null, VectorX& into) {
    if (!find(field)) return;
    const Json& values = list(field);
    if (values.size() != static_cast<std::size_t>(n_))
      fail(field, fmt::format("has {} numbers, b has {}", values.size(), n_));
    for (int i = 0; i < n_; ++i) into[i] = bound(values[i], field, i, if_null);
  }

  void read_rows() {
    Problem& p = out_.problem;
    read_bounds("lo", -kInfinity, p.lo);
    read_bounds("hi", kInfinity, p.hi);
    in_free_.assign(n_, false);
    if (find("free")) {
      const Json& rows = list("free");
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::string at = fmt::format("[{}]", k);
        const int i = index(rows[k], "free", at);
        if (in_free_[i]) fail("free", fmt::format("row {} is there twice", i), at);
        in_free_[i] = true;
        if ((p.lo[i] != 0 && p.lo[i] != -kInfinity) || p.hi[i] != kInfinity)
          fail("free", fmt::format("row {} has bounds in lo or hi too", i), at);
        p.set_free(i);
      }
    }
    if (find("hi_of")) {
      const Json& rows = list("hi_of");
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::string at = fmt::format("[{}]", k);
        if (!rows[k].is_array() || rows[k].size() != 3)
          fail("hi_of", "write [i, j, mu] for |z_i| <= mu z_j", at);
        const int i = index(rows[k][0], "hi_of", at + "[0]"),
                  j = index(rows[k][1], "hi_of", at + "[1]");
        if (p.bound_by[i] >= 0) fail("hi_of", fmt::format("row {} is there twice", i), at);
        if (in_free_[i]) fail("hi_of", fmt::format("row {} is in free too", i), at);
        p.set_bound_by(i, j, number(rows[k][2], "hi_of", at + "[2]"));
      }
    }
  }

  // Reads the cones and finds an order in which the rows of each are side by side; the order of the
  // file if it qualifies.
  void read_cones() {
    order_.resize(n_);
    for (int i = 0; i < n_; ++i) order_[i] = i;
    if (!find("cones")) return;
    const Json& cones = list("cones");
    std::vector<std::vector<int>> rows_of(cones.size());
    std::vector<double> mu_of(cones.size());
    std::vector<int> cone_of(n_, -1);
    for (std::size_t k = 0; k < cones.size(); ++k) {
      const std::string at = fmt::format("[{}]", k);
      const Json& c = cones[k];
      if (!c.is_object() || !c.contains("rows") || !c.contains("mu") || !c["rows"].is_array())
        fail("cones", "write {\"rows\": [normal, tangential, tangential], \"mu\": 0.5}", at);
      if (c["rows"].size() != 2 && c["rows"].size() != 3)
        fail("cones", fmt::format("has {} rows: 2 (in the plane) or 3 can be", c["rows"].size()),
             at);
      for (std::size_t r = 0; r < c["rows"].size(); ++r) {
        const int i = index(c["rows"][r], "cones", fmt::format("{}.rows[{}]", at, r));
        if (cone_of[i] >= 0)
          fail("cones", fmt::format("row {} is in a cone already, {}", i, cone_of[i]), at);
        if (out_.problem.bound_by[i] >= 0)
          fail("cones", fmt::format("row {} is in hi_of too", i), at);
        if (in_free_[i]) fail("cones", fmt::format("row {} is in free too", i), at);
        cone_of[i] = static_cast<int>(k);
        rows_of[k].push_back(i);
      }
      mu_of[k] = number(c["mu"], "cones", at + ".mu");
      if (!(mu_of[k] >= 0))
        fail("cones", fmt::format("is {}, not 0 or more", mu_of[k]), at + ".mu");
    }
    order_.clear();
    std::vector<bool> placed(cones.size(), false);
    for (int i = 0; i < n_; ++i) {
      const int k = cone_of[i];
      if (k < 0) {
        order_.push_back(i);
      } else if (!placed[k]) {
        placed[k] = true;
        out_.problem.cones.push_back(
            {static_cast<int>(order_.size()), static_cast<int>(rows_of[k].size()), mu_of[k]});
        order_.insert(order_.end(), rows_of[k].begin(), rows_of[k].end());
      }
    }
    if (!std::is_sorted(order_.begin(), order_.end())) permute();
  }

  // Puts b, bounds and `bound_by` into the new order.
  void permute() {
    Problem& p = out_.problem;
    out_.file_row = order_;
    std::vector<int> place(n_), bound_by(n_);
    for (int i = 0; i < n_; ++i) place[order_[i]] = i;
    for (VectorX* v : {&p.b, &p.lo, &p.hi, &p.mu}) *v = from_file_order(out_, *v);
    for (int i = 0; i < n_; ++i) {
      const int j = p.bound_by[order_[i]];
      bound_by[i] = j < 0 ? -1 : place[j];
    }
    p.bound_by = std::move(bound_by);
  }

  void read_matrix() {
    const Json* A = find("A");
    if (!A) fail("A", "is missing");
    if (A->is_object()) return read_triplets(*A);
    if (!A->is_array())
      fail("A", fmt::format("is {}: write a list of rows, or {{\"triplets\": [[i, j, value], ..]}}",
                            shown(*A)));
    const bool rows = !A->empty() && (*A)[0].is_array();
    const std::size_t n = static_cast<std::size_t>(n_), expected = rows ? n : n * n;
    if (A->size() != expected)
      fail("A", fmt::format("has {} {}, b has {} numbers: {} are wanted", A->size(),
                            rows ? "rows" : "numbers", n_, expected));
    if (rows)
      for (std::size_t i = 0; i < n; ++i) {
        const std::string at = fmt::format("[{}]", i);
        if (!(*A)[i].is_array()) fail("A", fmt::format("is {}, not a row", shown((*A)[i])), at);
        if ((*A)[i].size() != n)
          fail("A", fmt::format("has {} numbers, b has {}", (*A)[i].size(), n_), at);
      }
    Matrix& matrix = out_.problem.A;
    matrix.set_dense(n_);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        const std::size_t r = order_[i], c = order_[j];
        const Json& value = rows ? (*A)[r][c] : (*A)[r * n + c];
        if (!value.is_number())
          number(value, "A", rows ? fmt::format("[{}][{}]", r, c) : fmt::format("[{}]", r * n + c));
        matrix.rows()(i, j) = value.get<double>();
      }
  }

  void read_triplets(const Json& A) {
    if (A.size() != 1 || !A.contains("triplets") || !A["triplets"].is_array())
      fail("A", "write {\"triplets\": [[i, j, value], ..]}");
    std::vector<int> place(n_);
    for (int i = 0; i < n_; ++i) place[order_[i]] = i;
    std::vector<Triplet> triplets;
    const Json& list = A["triplets"];
    for (std::size_t k = 0; k < list.size(); ++k) {
      const std::string at = fmt::format(".triplets[{}]", k);
      if (!list[k].is_array() || list[k].size() != 3) fail("A", "write [i, j, value]", at);
      const int i = index(list[k][0], "A", at + "[0]"), j = index(list[k][1], "A", at + "[1]");
      triplets.push_back({place[i], place[j], number(list[k][2], "A", at + "[2]")});
    }
    std::vector<Triplet> sorted = triplets;
    const auto before = [](const Triplet& a, const Triplet& b) {
      return a.row != b.row ? a.row < b.row : a.column < b.column;
    };
    std::sort(sorted.begin(), sorted.end(), before);
    for (std::size_t k = 1; k < sorted.size(); ++k)
      if (!before(sorted[k - 1], sorted[k]))
        fail("A",
             fmt::format("row {}, column {} is there twice", order_[sorted[k].row],
                         order_[sorted[k].column]),
             ".triplets");
    set_from_triplets(out_.problem.A, n_, out_.problem.cones, triplets);
  }

  void check() const {
    const Problem& p = out_.problem;
    // `what_is_wrong` uses the problem's row numbers
    if (const std::string wrong = p.what_is_wrong(); !wrong.empty())
      throw FileError(
          fmt::format("{}: {}{}", name_, wrong,
                      out_.file_row.empty() ? "" : " (rows in the order of the cones)"));
    const Json* declared = find("kind");
    if (!declared) return;
    constexpr ProblemKind kinds[] = {ProblemKind::lcp, ProblemKind::mlcp, ProblemKind::boxed,
                                     ProblemKind::cone};
    for (const ProblemKind kind : kinds) {
      if (*declared != std::string(abut::name(kind))) continue;
      if (p.kind() > kind)
        fail("kind",
             fmt::format("is {}, but the rows make it {}", shown(*declared), abut::name(p.kind())));
      return;
    }
    fail("kind", fmt::format("is {}; there are lcp, mlcp, boxed, cone", shown(*declared)));
  }

  std::string_view text_;
  const std::string& name_;
  Json root_;
  int n_ = 0;
  std::vector<int> order_;  // the file's row of each row of the problem
  std::vector<bool> in_free_;
  ProblemFile out_;
};

}  // namespace

ProblemFile parse_problem(std::string_view text, const std::string& name) {
  return Reader(text, name).read();
}

}  // namespace abut
