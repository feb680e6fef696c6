#include "abut/contact/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

namespace abut {

void PluginHost::add(const ContactModelEntry& entry) {
  add_contact_model(entry);
  added_.push_back(fmt::format("contact model {}", entry.info->name));
}

void PluginHost::add(const SolverEntry& entry) {
  add_solver(entry);
  added_.push_back(fmt::format("solver {}", entry.info->name));
}

namespace {

// Empty: the plug-in fits this library.
std::string why_not_fit(const PluginInfo& info) {
  const PluginInfo own;
  if (info.version != own.version)
    return fmt::format("it has version {} of the interface for plug-ins, and this abut version {}",
                       info.version, own.version);
  if (std::string_view(info.abut) != own.abut)
    return fmt::format("it was built with the headers of abut {}, and this is abut {}", info.abut,
                       own.abut);
  if (info.compiler != own.compiler || info.alignment != own.alignment)
    return fmt::format(
        "its compiler lays out objects otherwise (C++ ABI {}, alignment {}; abut has {}, {}): "
        "build "
        "it with the compiler of abut, and without -march or -mavx",
        info.compiler, info.alignment, own.compiler, own.alignment);
  if (info.add == nullptr) return "it has nothing to add";
  return {};
}

}  // namespace

std::vector<std::string> load_plugin(const std::string& file) {
  const auto fail = [&](const std::string& why) {
    throw std::runtime_error(fmt::format("plug-in '{}': {}", file, why));
  };
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(file, error);
  if (!std::filesystem::is_regular_file(path, error)) fail("there is no such file");
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    fail(
        fmt::format("it cannot be loaded: {}; build it as a shared library with the headers of "
                    "this abut (docs/add-a-contact-model.md)",
                    dlerror()));
  using Entry = const PluginInfo* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "abut_plugin"));
  if (entry == nullptr) fail("it exports no abut_plugin; write ABUT_PLUGIN(add) in it");
  const PluginInfo* info = entry();
  if (info == nullptr) fail("its abut_plugin returns nothing");
  if (const std::string why = why_not_fit(*info); !why.empty()) fail(why);
  PluginHost host;
  try {
    info->add(host);
  } catch (const std::exception& e) {
    fail(e.what());
  }
  if (host.added().empty()) fail("it adds no contact model and no solver");
  return host.added();
}

}  // namespace abut
