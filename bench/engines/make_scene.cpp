// Prints a scene of the race of engines as MJCF, or as JSON.
//
//   engines_scene pile --count 2000 --seed 1 > pile.xml && abut run pile.xml
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "scene.h"

int main(int argc, char** argv) try {
  CLI::App app{"A scene of the race of engines"};
  std::string name = "pile";
  int count = 100;
  unsigned seed = 1;
  app.add_option("name", name, "pile, stack, net ..: scene.h has the list");
  app.add_option("--count,--boxes", count, "of what the scene has");
  app.add_option("--seed", seed, "of the piles");
  bool json = false;
  app.add_flag("--json", json, "as the engines under node read it");
  CLI11_PARSE(app, argc, argv);
  const EngineScene scene = make_engine_scene(name, count, seed);
  std::fputs((json ? as_json(scene) : as_mjcf(scene)).c_str(), stdout);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "engines_scene: %s\n", e.what());
  return 2;
}
