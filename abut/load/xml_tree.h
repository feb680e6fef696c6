// An XML document as a tree of elements that know their file and line, with every <include
// file="..."/> replaced by the children of the included file's root.
//
//   XmlTree tree = read_xml_file("robot.xml");
//   for (const Element& child : tree.root.children) ...
//
// Comments, text and processing instructions are ignored. Entities are not expanded beyond the five
// of XML itself, so that a document cannot grow while it is read.
#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "abut/model/world.h"

namespace pugi {
class xml_document;
}

namespace abut {

struct Attribute {
  std::string_view name, value;
};

struct Element {
  std::string_view tag;
  std::vector<Attribute> attributes;
  std::vector<Element> children;
  Source where;

  // Null if the element has no such attribute.
  const Attribute* find(std::string_view name) const;
  // The value, or an empty string.
  std::string_view text(std::string_view name) const;
  // The first child with that tag, or null.
  const Element* child(std::string_view name) const;
};

// The views in the elements point into the documents, which the tree owns.
struct XmlTree {
  Element root;
  std::vector<std::unique_ptr<pugi::xml_document>> documents;

  XmlTree();
  XmlTree(XmlTree&&) noexcept;
  XmlTree& operator=(XmlTree&&) noexcept;
  ~XmlTree();
};

// Includes are searched beside the main file first, then beside the including file, as in MuJoCo; a
// file may be included once.
XmlTree read_xml_file(const std::filesystem::path& path);
XmlTree read_xml_text(std::string_view xml, const std::string& name,
                      const std::filesystem::path& directory);

// The bytes of a file. Throws WorldError at `where` if it cannot be read.
std::string read_bytes(const std::filesystem::path& path, const Source& where);

}  // namespace abut
