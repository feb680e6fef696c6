// Points of speed against overlap, as a picture in SVG.
#pragma once

#include <string>
#include <vector>

struct PlotPoint {
  std::string engine, scene;
  double ms = 0, overlap = 0;  // m
};

// Both axes logarithmic. An overlap below 1e-12 m is drawn there.
std::string speed_against_overlap(const std::vector<PlotPoint>& points);
