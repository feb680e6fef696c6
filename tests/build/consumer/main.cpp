#include <cstdio>
#include "abut/version.h"
int main() { std::printf("%s\n", abut::version().data()); }
