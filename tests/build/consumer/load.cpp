#include <cstdio>

#include "abut/load/load.h"

int main(int, char** arguments) {
  const abut::Model model = abut::load_model(arguments[1]);
  std::printf("%d\n", model.nv);
}
