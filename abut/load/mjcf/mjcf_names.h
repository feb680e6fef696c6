// Renaming and repeating parts of a world: what <replicate> and <attach> need.
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

// All that a body and everything below it is made of.
std::size_t count_elements(const BodyDesc& body);
void collect_names(const BodyDesc& body, NameSet& names);

// Changes every name that is there (an unnamed thing stays unnamed).
using Rename = std::function<std::string(const std::string&)>;
void rename_tree(BodyDesc& body, const Rename& rename);

// Moves what hangs on a body from the frame it was written in into the body's own.
void move_contents(BodyDesc& body, const Pose& frame);
void append_contents(BodyDesc& to, BodyDesc&& from);
void move(GeomDesc& geom, const Pose& frame);
void move(SiteDesc& site, const Pose& frame);
void move(JointDesc& joint, const Pose& frame);

// Takes out of `world` all that refers to a name in `names`, and gives back `count`
// copies of it, the i-th with its own name and those references changed by rename(i);
// all of the first copy before all of the second. What refers to something so taken
// goes with it.
using RenameCopy = std::function<std::string(const std::string&, int)>;
World take_references(World& world, NameSet names, int count, const RenameCopy& rename);

// Moves the contacts, equalities, tendons, actuators, sensors and tuples of `from`
// behind those of `to`.
void append_references(World& to, World&& from);

}  // namespace abut
