// Frame: the data that the page draws for one moment, and its bytes (docs/viewer.md).
//
//   abut::view::Frame frame;
//   looker.look(state, input, forces, Show{.contacts = true}, frame);
//   send(encoded(frame, lane));
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "abut/math/types.h"

namespace abut::view {

// What to compute for a frame besides poses; each item costs time.
struct Show {
  bool contacts = true;   // pairs, points, forces, phases
  bool features = false;  // vertices, edges and faces that touch
  bool volumes = false;   // common volumes of solids
  bool boxes = false;     // of the broad phase
  bool joints = false;    // where joints that close loops have come apart
  bool measures = true;   // energy, overlap, joint error
  bool velocities = false;

  Show operator|(const Show& o) const {
    return {contacts || o.contacts,    features || o.features, volumes || o.volumes,
            boxes || o.boxes,          joints || o.joints,     measures || o.measures,
            velocities || o.velocities};
  }
};

// How a pair touches. Sliding: friction is at the bound of Coulomb's cone. Impact: the pair had no
// force in the frame before.
enum class Phase : std::uint32_t { near, impact, sticking, sliding };

// Positions are relative to the scene's origin, forces act on B.
struct Frame {
  // the order is that of the bytes
  enum Number { kinetic, potential, deepest, joint_error, contact_force, step_ms, speed, count };

  struct Pair {
    int geom_a = 0, geom_b = 0;
    Vec3 normal, point, force;
    double friction = 0;  // mu
    Phase phase = Phase::near;
    int points_end = 0;
  };
  struct Point {
    Vec3 position, force;
  };
  struct Feature {  // a vertex, the two ends of an edge, or the loop of a face
    int side = 0;   // 0: of A, 1: of B
    std::vector<Vec3> points;
  };
  struct Joint {
    Vec3 a, b;
    double error = 0;  // m, or rad
  };

  double time = 0;        // s
  std::int64_t step = 0;  // since the start
  int generation = 0;     // of the scene
  bool paused = false, diverged = false;
  std::array<double, count> numbers{};
  std::vector<Pose> poses;  // of moving_bodies()
  struct Velocity {         // of the body's origin, in the scene's axes
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  };
  std::vector<Velocity> velocities;  // of the same bodies, or none
  std::vector<Pair> pairs;
  std::vector<Point> points;
  std::vector<Feature> features;
  std::vector<Vec3> volumes;  // three a triangle
  std::vector<std::array<Vec3, 2>> boxes;
  std::vector<Joint> joints;
};

std::string encoded(const Frame& frame, int lane = 0);

}  // namespace abut::view
