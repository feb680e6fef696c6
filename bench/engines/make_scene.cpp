// Prints a scene of the race of engines as MJCF.
//
//   engines_scene pile --count 2000 --seed 1 > pile.xml && abut run pile.xml
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "scene.h"

int main(int argc, char** argv) try {
  CLI::App app{"A scene of the race of engines, as MJCF"};
  std::string name = "pile";
  int count = 100;
  unsigned seed = 1;
  app.add_option("name", name, "pile, messy, hulls, stack, heavy, pyramid, incline or arch");
  app.add_option("--count,--boxes", count, "solids; of a pyramid in its lowest row");
  app.add_option("--seed", seed, "of the piles");
  CLI11_PARSE(app, argc, argv);
  std::fputs(as_mjcf(make_engine_scene(name, count, seed)).c_str(), stdout);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "engines_scene: %s\n", e.what());
  return 2;
}
