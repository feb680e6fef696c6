// Plug-ins: contact models and solvers from a shared library, for the command line
// (`abut run WORLD --plugin ./libmine.so --contact mine`) and for programs. A program that is
// compiled with its model needs no plug-in: it calls add_contact_model() itself.
//
//   // mine.cpp:  g++ -std=c++20 -shared -fPIC $(pkg-config --cflags abut) mine.cpp -o libmine.so
//   #include "abut/contact/plugin.h"
//   void add(abut::PluginHost& host) { host.add(abut::ContactModelEntry{&my_info(), make_mine}); }
//   ABUT_PLUGIN(add)
//
// A plug-in uses the library of the program that loads it, and links no abut of its own. It must be
// built with the headers of the same version, and with a compiler that lays out objects alike;
// load_plugin() compares both before it calls anything.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "abut/contact/registry.h"
#include "abut/solve/solver.h"

namespace abut {

// Of this interface; raised when a plug-in built before could go wrong.
inline constexpr int kPluginVersion = 2;
inline constexpr const char* kPluginAbut = "0.1";  // a minor version may change any header

// Where a plug-in leaves what it has.
class PluginHost {
 public:
  void add(const ContactModelEntry& entry);
  void add(const SolverEntry& entry);
  // "contact model mine", "solver mine": in the order of their adding.
  const std::vector<std::string>& added() const { return added_; }

 private:
  std::vector<std::string> added_;
};

// What a plug-in says of itself. The order of members is part of the interface.
struct PluginInfo {
  int version = kPluginVersion;
  const char* abut = kPluginAbut;
  int compiler = __GXX_ABI_VERSION;
  int alignment = EIGEN_MAX_STATIC_ALIGN_BYTES;  // -mavx would change it
  void (*add)(PluginHost&) = nullptr;
};

// Loads the library and lets it add what it has. Throws std::runtime_error that says what does not
// fit. The library stays loaded.
std::vector<std::string> load_plugin(const std::string& file);

}  // namespace abut

// The one exported function of a plug-in; `function` is a void(abut::PluginHost&).
#define ABUT_PLUGIN(function)                                                               \
  extern "C" __attribute__((visibility("default"))) const abut::PluginInfo* abut_plugin() { \
    static const abut::PluginInfo info{.add = function};                                    \
    return &info;                                                                           \
  }
