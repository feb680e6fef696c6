// Where the tree and the tool are. The paths are compiled into tree.cpp alone, so that clones and
// work trees share the compiler's cache for every other object.
#pragma once

#include <string>
#include <string_view>

namespace abut::test {

// The tree's folder, or `path` in it: in_tree("/worlds/drop.xml").
std::string in_tree(std::string_view path = {});

// The path of the abut tool; empty in programs that are built without it.
std::string tool();

}  // namespace abut::test
