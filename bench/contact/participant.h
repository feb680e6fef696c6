// What each engine does in the race of things that stand on a floor, in a process of its own.
//
// serve() reads commands from standard input, one a line, and answers each with one line of
// JSON; other lines that an engine may print are ignored by the other side.
//
//   load SCENE           boxes at rest (see Boxes), or a world in MJCF (NAME.xml), at its
//                        keyframe "home"; methods is empty if the engine cannot read it
//                                                                -> {"methods": [..]}
//   run METHOD STEPS SECONDS   from the start, each step timed, for no longer than so
//                        many seconds                            -> {"us": median of a step,
//                        "steps": taken, "pose": [[x, y, z, qw, qx, qy, qz], ..] at the end, or
//                        "q": [..] of a world, in MuJoCo's layout}
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// Boxes along the axes over the floor z = 0, one friction for all.
struct Boxes {
  struct Box {
    std::array<double, 3> half, position;  // m
    double mass;                           // kg
  };
  double step = 1.0 / 240;  // s
  double friction = 0.5;
  std::vector<Box> boxes;

  explicit Boxes(const std::string& file) {
    std::ifstream in(file);
    std::size_t count = 0;
    in >> step >> friction >> count;
    boxes.resize(count);
    for (Box& b : boxes) {
      for (double& x : b.half) in >> x;
      for (double& x : b.position) in >> x;
      in >> b.mass;
    }
    if (!in) throw std::runtime_error("can't read " + file);
  }
};

using BoxPose = std::array<double, 7>;  // position, quaternion wxyz

class Participant {
 public:
  virtual ~Participant() = default;
  virtual std::string engine() const = 0;  // with its version
  virtual std::vector<std::string> methods() const = 0;
  // Builds the scene anew, for one method.
  virtual void load(const Boxes& scene, int method) = 0;
  virtual void step() = 0;
  virtual BoxPose pose(int box) const = 0;

  // Worlds in MJCF, for engines that read it; with the world's own step.
  virtual bool reads_worlds() const { return false; }
  virtual void load_world(const std::string&, int /*method*/) {}
  virtual std::vector<double> q() const { return {}; }
};

inline bool is_world(const std::string& scene) { return scene.ends_with(".xml"); }

inline void run_race(Participant& p, const std::string& scene, int method, int steps,
                     double seconds) {
  using Clock = std::chrono::steady_clock;
  std::size_t boxes = 0;
  if (is_world(scene)) {
    p.load_world(scene, method);
  } else {
    const Boxes read(scene);
    boxes = read.boxes.size();
    p.load(read, method);
  }
  std::vector<double> us;
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  for (int i = 0; i < steps && (i == 0 || Clock::now() < deadline); ++i) {
    const auto start = Clock::now();
    p.step();
    us.push_back(1e6 * std::chrono::duration<double>(Clock::now() - start).count());
  }
  const std::size_t middle = us.size() / 2;
  const auto taken = static_cast<int>(us.size());
  std::nth_element(us.begin(), us.begin() + static_cast<std::ptrdiff_t>(middle), us.end());
  std::printf("{\"us\": %.6g, \"steps\": %d, ", us[middle], taken);
  if (is_world(scene)) {
    std::printf("\"q\": [");
    const std::vector<double> q = p.q();
    for (std::size_t k = 0; k < q.size(); ++k) std::printf(k == 0 ? "%.17g" : ", %.17g", q[k]);
    std::printf("]}\n");
    return;
  }
  std::printf("\"pose\": [");
  for (std::size_t b = 0; b < boxes; ++b) {
    std::printf(b == 0 ? "[" : ", [");
    const BoxPose x = p.pose(static_cast<int>(b));
    for (std::size_t k = 0; k < x.size(); ++k) std::printf(k == 0 ? "%.17g" : ", %.17g", x[k]);
    std::printf("]");
  }
  std::printf("]}\n");
}

inline int serve(Participant& p) try {
  std::printf("{\"engine\": \"%s\"}\n", p.engine().c_str());
  std::fflush(stdout);
  std::string scene;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "load") {
      words >> scene;
      const bool can = p.reads_worlds() || !is_world(scene);
      std::printf("{\"methods\": [");
      for (std::size_t i = 0; can && i < p.methods().size(); ++i)
        std::printf("%s\"%s\"", i == 0 ? "" : ", ", p.methods()[i].c_str());
      std::printf("]}\n");
    } else if (command == "run") {
      int method = 0, steps = 0;
      double seconds = 1;
      words >> method >> steps >> seconds;
      run_race(p, scene, method, steps, seconds);
    }
    std::fflush(stdout);
  }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
