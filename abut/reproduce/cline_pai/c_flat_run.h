// Runs of rectangles in the flat room (c_worlds.h), pushed by a script in place of the user's
// hand, and what is measured of them.
#pragma once

#include <functional>

#include "abut/contact/settings.h"
#include "abut/reproduce/experiment.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {

struct FlatRun {
  double h = 0;
  std::vector<double> overlap, before;   // mm, at the end of each step; before its post-steps
  std::vector<std::vector<Pose>> poses;  // of the bodies, at every `picture_every`-th step
  int unsolved = 0;                      // problems, of the dynamics or of post-steps

  double most() const;
  double mean() const;
  double most_before() const;
};

// Adds pushes to the input at a time, given the poses.
using Hand = std::function<void(double t, const Derived& d, Input& input)>;
// A force (N) at a point of the body (m, from its centre), as Input::wrench wants it.
void push(Input& input, const Derived& d, int body, const Vec3& force, const Vec3& point);

FlatRun run_flat(const Model& model, const ContactSettings& contact, double time, const Hand& hand,
                 int picture_every = 0);

// ap without friction, contacts within 5 mm of a rectangle of 1 x 0.5 m; `post`, `none` ..
ContactSettings frictionless_ap(const char* stabilize);

Graph::Curve overlap_curve(std::string name, const FlatRun& run);
// The room with the bodies as they were at the pictures from `first` to `last`.
Drawing room_picture(const Model& model, const FlatRun& run, std::size_t first, std::size_t last,
                     std::string title);

}  // namespace abut::reproduce
