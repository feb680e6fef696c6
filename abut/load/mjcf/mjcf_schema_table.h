// The elements of MJCF as a table: one row for each element, with its attributes and children.
//
// Marks of an attribute: ~ silent, ? noted once, ! warned once, ^ not in <default>. A child is a
// tag, or tag:row if the same tag has another meaning elsewhere; ! before it: abut warns once and
// ignores it. The contents of a child without a row of its own are not checked. @group stands for a
// list that several rows share.
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
