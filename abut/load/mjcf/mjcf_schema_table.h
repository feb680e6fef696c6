// The elements of MJCF as a table: one row an element, its attributes and its children.
//
// An attribute carries marks: ~ silent, ? noted once, ! warned once, ^ not in <default>.
// A child is a tag, or tag:row where the same tag means another thing elsewhere;
// ! before it: abut warns once and leaves it out. A child without a row of its own is
// not looked into. @group stands for a list shared by several rows.
#pragma once

#include <span>
#include <string_view>

namespace abut {

struct SchemaRow {
  std::string_view name, attributes, children;
};

std::span<const SchemaRow> schema_table();
std::string_view schema_group(std::string_view name);

}  // namespace abut
