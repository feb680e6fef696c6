// SweepPlan: many runs of one world: which values each run has, and what is measured of it.
//
//   abut::SweepPlan plan = abut::read_sweep("friction.toml", abut::file_beside);
//   for (std::int64_t run = 0; run < plan.runs(); ++run) print(values_of(plan, run));
//
// A file (TOML or JSON) has these fields; docs/sweeps.md explains them:
//
//   world    file or name            seed     of the random values (1)
//   set      key = value, for all    runs     random runs at each point of the grid (1)
//   grid     key = [values]          random   key = {uniform = [low, high]} ..
//   measure  ["energy.kinetic", ..]
//
// A random value depends on the seed, the number of its run and its key alone: not on the other
// keys, and not on where or in which order runs are made.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};

enum class DrawKind { uniform, log, normal, integer, choice, rotation };

struct SweepDraw {
  std::string key;
  DrawKind kind = DrawKind::uniform;
  std::vector<double> low, high;     // of each number; normal: mean and standard deviation
  std::vector<std::string> choices;  // of choice
};

// A key and its value as one would write it after --set.
struct SweepValue {
  std::string key, text;
};

struct SweepPlan {
  std::string world;             // as the file has it
  std::filesystem::path file;    // of the world
  std::filesystem::path folder;  // files that values name are relative to it
  std::uint64_t seed = 1;
  std::int64_t draws = 1;  // runs at each point of the grid
  std::vector<SweepValue> set;
  std::vector<SweepAxis> grid;
  std::vector<SweepDraw> random;
  std::vector<std::string> measures;
  std::uint64_t digest = 0;  // of all this, of the world's file and of the version of abut

  std::int64_t runs() const;
};

// Bad input, with file and line as far as they are known.
class SweepError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The file of a world, of the name in the plan and the folder of the plan. Throws what it likes.
using FindWorld =
    std::function<std::filesystem::path(const std::string& name, const std::filesystem::path&)>;
// Beside the plan, else as it is.
std::filesystem::path file_beside(const std::string& name, const std::filesystem::path& folder);

// .toml or .json. Throws SweepError.
SweepPlan read_sweep(const std::filesystem::path& file, const FindWorld& find_world);
// The same as JSON text; `name` is what messages call it.
SweepPlan parse_sweep(std::string_view json, const std::string& name,
                      const std::filesystem::path& folder, const FindWorld& find_world);

// Grid and random values of a run, in the order of the columns of the table.
std::vector<SweepValue> values_of(const SweepPlan& plan, std::int64_t run);
// A number of its own for each run, from the plan's seed.
std::uint64_t seed_of(const SweepPlan& plan, std::int64_t run);

// As short as it can be, and the same number when it is read again.
std::string number_text(double x);

}  // namespace abut
