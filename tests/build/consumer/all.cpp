#include <cstdio>

#include "abut/load/load.h"
#include "abut/simulate/record/recording.h"
#include "abut/version.h"
#include "abut/view/plot/plot.h"

int main() { std::printf("%s\n", abut::version().data()); }
