#include <cstdio>

#include "abut/view/plot/plot.h"

int main() {
  abut::view::Plot plot;
  plot.title = "Line";
  plot.lines.push_back({"y", {{0, 0}, {1, 1}}});
  std::printf("%d\n", to_svg(plot).find("<svg") != std::string::npos);
}
