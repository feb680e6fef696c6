#include "support/tree.h"

namespace abut::test {

std::string in_tree(std::string_view path) { return ABUT_SOURCE_DIR + std::string(path); }

std::string tool() {
#ifdef ABUT_TOOL
  return ABUT_TOOL;
#else
  return {};
#endif
}

}  // namespace abut::test
