// Renaming and repeating parts of a world, for <replicate> and <attach>.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "abut/model/world.h"

namespace abut {

// Names by kind: "body", "joint", "geom", "site", "tendon", "actuator", ..
using NameSet = std::unordered_map<std::string_view, std::unordered_set<std::string>>;

// Number of elements of a body and all its descendants.
std::size_t count_elements(const BodyDesc& body);
void collect_names(const BodyDesc& body, NameSet& names);

// Changes every name (an unnamed element stays unnamed).
using Rename = std::function<std::string(const std::string&)>;
void rename_tree(BodyDesc& body, const Rename& rename);

// Moves the contents of a body from the frame they were written in into the body's own frame.
void move_contents(BodyDesc& body, const Pose& frame);
void append_contents(BodyDesc& to, BodyDesc&& from);
void move(GeomDesc& geom, const Pose& frame);
void move(SiteDesc& site, const Pose& frame);
void move(JointDesc& joint, const Pose& frame);

// Removes from `world` everything that refers to a name in `names`, and returns `count` copies of
// it. Copy i has its own name and those references changed by rename(i); copy 0 comes completely
// before copy 1. Elements that refer to a removed element are removed with it.
using RenameCopy = std::function<std::string(const std::string&, int)>;
World take_references(World& world, NameSet names, int count, const RenameCopy& rename);

// Appends the contacts, equalities, tendons, actuators, sensors and tuples of `from` to those of
// `to`.
void append_references(World& to, World&& from);

}  // namespace abut
