// Every world of worlds/ under every contact model ends where it ended before, to the last bit:
// tests/data/golden.txt has a hash of the state for each. What moves code keeps the table; what
// changes behaviour makes it anew (`make golden`) and says why.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "abut/contact/combinations.h"
#include "abut/load/load.h"
#include "abut/simulate/simulator.h"
#include "support/tree.h"

namespace abut {
namespace {

namespace fs = std::filesystem;

const fs::path kWorlds = test::in_tree("/worlds"), kTable = test::in_tree("/tests/data/golden.txt");

std::vector<std::string> worlds() {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(kWorlds))
    if (entry.path().extension() == ".xml")
      names.push_back(fs::relative(entry.path(), kWorlds).replace_extension().string());
  std::sort(names.begin(), names.end());
  return names;
}

// FNV-1a over the bits.
void add(std::uint64_t& hash, std::span<const double> values) {
  for (const double v : values)
    for (int k = 0; k < 64; k += 8)
      hash = (hash ^ (std::bit_cast<std::uint64_t>(v) >> k & 0xff)) * 0x100000001b3;
}

// As many steps as show what a model does with first touch, memory and warm starts; fewer where a
// step costs much, and none of hundreds of bodies.
int steps(const Model& model, const std::string& contact) {
  if (contact == "peg-paper") return model.nbody() > 3 ? 0 : 2;  // takes seconds a step
  return model.nbody() > 60 ? 0 : model.nbody() > 12 || contact == "lnc" ? 10 : 60;
}

// glibc has other variants of these functions for other processors, which differ in the last bit.
std::string machine() {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (int i = 1; i <= 1000; ++i) {
    const double x = 0.0137 * i;
    add(hash,
        std::array{std::sin(x), std::cos(x), std::tan(x), std::atan2(x, 3.0), std::exp(-x),
                   std::log(x), std::pow(x, 1.7), std::acos(1 / (1 + x)), std::hypot(x, 2.1)});
  }
  return fmt::format("{:016x}", hash);
}

// "hash mean": the mean of |q| and |v| tells how far off a state is that has another hash.
std::string outcome(const std::string& world, const std::string& contact) {
  try {
    Model model = load_model(kWorlds / (world + ".xml"));
    if (model.option.integrator == Integrator::rk4) model.option.integrator = Integrator::euler;
    ContactSettings settings = contact_settings(model);
    set_contact(settings, contact);
    Simulator simulator(model, settings);
    State state(model);
    Input input(model);
    for (int i = 0; i < steps(model, contact); ++i) simulator.step(state, input);
    std::uint64_t hash = 0xcbf29ce484222325;
    add(hash, state.q);
    add(hash, state.v);
    double sum = 0;
    for (const std::vector<double>* x : {&state.q, &state.v})
      for (const double value : *x) sum += std::abs(value);
    const double count = static_cast<double>(state.q.size() + state.v.size());
    return fmt::format("{:016x} {:.15g}", hash, count > 0 ? sum / count : 0);
  } catch (const std::exception&) {
    return "refused";
  }
}

// Keyed by world and model; the machine's mathematics has an entry of its own.
using Table = std::map<std::pair<std::string, std::string>, std::string>;
const Table::key_type kMachine{"mathematics", "of"};

// On another machine: the means agree.
bool nearly(const std::string& a, const std::string& b) {
  if (a == "refused" || b == "refused" || b.empty()) return a == b;
  const double x = std::stod(a.substr(a.find(' '))), y = std::stod(b.substr(b.find(' ')));
  return std::abs(x - y) <= 1e-9 * (1 + std::abs(y));
}

Table read_table() {
  Table table;
  std::ifstream file(kTable);
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string world, contact, rest;
    words >> world >> contact;
    std::getline(words >> std::ws, rest);
    table[{world, contact}] = rest;
  }
  return table;
}

void write_table(const Table& table) {
  std::ofstream file(kTable);
  file << "# world, contact model, hash of q and v, mean of |q| and |v| (golden_test.cpp; `make "
          "golden`)\n";
  for (const auto& [key, value] : table)
    file << key.first << ' ' << key.second << ' ' << value << '\n';
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, EveryWorldEndsWhereItDid) {
  std::string contact = GetParam();
  Table table = read_table();
  const bool write = std::getenv("ABUT_GOLDEN") != nullptr;
#if !defined(__x86_64__) || defined(__clang__)
  if (!write) GTEST_SKIP() << "the table is of GCC on x86-64";
#endif
  const bool same_machine = table[kMachine] == machine();
  table[kMachine] = machine();
  int rows = 0;
  for (const std::string& world : worlds()) {
    const std::string now = outcome(world, contact);
    std::string& known = table[{world, contact}];
    if (!write && (same_machine || !nearly(now, known))) {
      EXPECT_EQ(now, known) << world << " under " << contact
                            << ": if this change of behaviour is meant, run `make golden`";
    }
    known = now;
    ++rows;
  }
  EXPECT_GT(rows, 50);
  if (write) write_table(table);
}

// Nothing in the table that is not in worlds/.
TEST(GoldenTable, HasNoOtherWorlds) {
  const std::vector<std::string> names = worlds();
  for (const auto& [key, value] : read_table())
    EXPECT_TRUE(key == kMachine || std::binary_search(names.begin(), names.end(), key.first))
        << key.first;
}

std::vector<std::string> models() {
  const std::vector<std::string_view> names = values(Axis::contact);
  return {names.begin(), names.end()};
}

INSTANTIATE_TEST_SUITE_P(Models, Golden, testing::ValuesIn(models()), [](const auto& info) {
  std::string n = info.param;
  std::replace(n.begin(), n.end(), '-', '_');
  return n;
});

}  // namespace
}  // namespace abut
