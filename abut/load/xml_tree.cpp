#include "abut/load/xml_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <pugixml.hpp>
#include <set>

namespace abut {
namespace fs = std::filesystem;

const Attribute* Element::find(std::string_view name) const {
  for (const Attribute& a : attributes)
    if (a.name == name) return &a;
  return nullptr;
}

std::string_view Element::text(std::string_view name) const {
  const Attribute* a = find(name);
  return a ? a->value : std::string_view{};
}

const Element* Element::child(std::string_view name) const {
  for (const Element& c : children)
    if (c.tag == name) return &c;
  return nullptr;
}

XmlTree::XmlTree() = default;
XmlTree::XmlTree(XmlTree&&) noexcept = default;
XmlTree& XmlTree::operator=(XmlTree&&) noexcept = default;
XmlTree::~XmlTree() = default;

std::string read_bytes(const fs::path& path, const Source& where) {
  std::error_code ec;
  const fs::file_status status = fs::status(path, ec);
  if (ec || !fs::exists(status))
    throw WorldError(where, fmt::format("no such file: '{}'; check the path", path.string()));
  if (fs::is_directory(status))
    throw WorldError(where, fmt::format("'{}' is a directory; name a file in it", path.string()));
  if (!fs::is_regular_file(status))
    throw WorldError(where, fmt::format("'{}' is not a file; name one", path.string()));
  std::ifstream in(path, std::ios::binary);
  std::string bytes;
  if (in) {
    in.seekg(0, std::ios::end);
    const auto size = in.tellg();
    in.seekg(0);
    if (size > 0) {
      bytes.resize(static_cast<std::size_t>(size));
      in.read(bytes.data(), size);
      bytes.resize(static_cast<std::size_t>(in.gcount()));
    }
  }
  if (!in)
    throw WorldError(where, fmt::format("cannot read '{}'; check its permissions", path.string()));
  if (bytes.empty()) throw WorldError(where, fmt::format("'{}' is empty", path.string()));
  return bytes;
}

namespace {

// Far beyond any real kinematic tree; below what recursion over the tree can stand.
constexpr int kMaxDepth = 1000;

Source no_line(const std::string& file) { return {std::make_shared<const std::string>(file), 0}; }

// Entities of a file's own would stay unexpanded in names and numbers; none of our formats
// uses them but to hide something.
template <typename Lines>
void refuse_entities(std::string_view text, const Lines& lines, Source where) {
  if (text.find("<!ENTITY") == std::string_view::npos) return;
  where.line = lines.at(std::min(text.find("<!DOCTYPE"), text.find("<!ENTITY")));
  throw WorldError(
      where, "a DOCTYPE that declares entities is not read; write their text where it is used");
}

// Turns offsets into line numbers.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') ends_.push_back(static_cast<std::ptrdiff_t>(i));
  }
  int at(std::ptrdiff_t offset) const {
    if (offset < 0) return 0;
    return static_cast<int>(std::lower_bound(ends_.begin(), ends_.end(), offset) - ends_.begin()) +
           1;
  }

 private:
  std::vector<std::ptrdiff_t> ends_;
};

class TreeReader {
 public:
  TreeReader(XmlTree& tree, fs::path directory) : tree_(tree), directory_(std::move(directory)) {}

  // Parses one file and gives its root's children and attributes to `out`.
  void parse(std::string_view text, const std::string& name, const fs::path& directory,
             Element& out, int depth) {
    const Lines lines(text);
    Source where = no_line(name);
    refuse_entities(text, lines, where);
    auto& document = *tree_.documents.emplace_back(std::make_unique<pugi::xml_document>());
    const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
    if (result.status == pugi::status_no_document_element) {
      where.line = 1;
      throw WorldError(where,
                       "there is no XML element in it (is it empty, or no world at all?); an MJCF "
                       "file starts with <mujoco>");
    }
    if (!result) {
      where.line = lines.at(result.offset);
      throw WorldError(where, fmt::format("this is not well-formed XML ({}); check that every tag "
                                          "is closed and every value is quoted",
                                          result.description()));
    }
    const pugi::xml_node root = document.document_element();
    for (pugi::xml_node other = root.next_sibling(); other; other = other.next_sibling())
      if (other.type() == pugi::node_element) {
        where.line = lines.at(other.offset_debug());
        throw WorldError(where, fmt::format("a second root element <{}>; move it inside <{}>",
                                            other.name(), root.name()));
      }
    File file{where.file, lines, directory};
    fill(root, file, out, depth);
  }

  std::set<fs::path> included;

 private:
  struct File {
    std::shared_ptr<const std::string> name;
    const Lines& lines;
    const fs::path& directory;
  };

  void fill(const pugi::xml_node& node, const File& file, Element& out, int depth) {
    out.tag = node.name();
    out.where = {file.name, file.lines.at(node.offset_debug())};
    if (depth > kMaxDepth)
      throw WorldError(out.where,
                       fmt::format("elements are nested more than {} deep; close some of "
                                   "them",
                                   kMaxDepth));
    for (const pugi::xml_attribute& a : node.attributes()) {
      if (out.find(a.name()))
        throw WorldError(out.where, fmt::format("attribute '{}' is given twice in <{}>; keep one",
                                                a.name(), out.tag));
      out.attributes.push_back({a.name(), a.value()});
    }
    fill_children(node, file, out, depth);
  }

  void fill_children(const pugi::xml_node& node, const File& file, Element& out, int depth) {
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      if (std::string_view(child.name()) == "include")
        include(child, file, out, depth);
      else
        fill(child, file, out.children.emplace_back(), depth + 1);
    }
  }

  void include(const pugi::xml_node& node, const File& file, Element& out, int depth) {
    const Source where{file.name, file.lines.at(node.offset_debug())};
    const std::string name = node.attribute("file").value();
    if (name.empty())
      throw WorldError(where, "<include> needs a file; write <include file=\"other.xml\"/>");
    for (const pugi::xml_node& child : node.children())
      if (child.type() == pugi::node_element)
        throw WorldError(where, "<include> cannot have children; write <include file=\"...\"/>");
    std::error_code ec;
    fs::path path = directory_ / name;
    if (!fs::exists(path, ec)) {
      const fs::path beside = file.directory / name;
      if (fs::exists(beside, ec)) path = beside;
    }
    // the same file by another spelling is the same file
    fs::path canonical = fs::weakly_canonical(path, ec);
    if (ec) canonical = path;
    if (!included.insert(canonical).second)
      throw WorldError(where, fmt::format("'{}' is included already (or includes itself); include "
                                          "each file once",
                                          name));
    const std::string text = read_bytes(path, where);
    Element root;
    parse(text, path.lexically_normal().string(), path.parent_path(), root, depth);
    if (root.children.empty())
      throw WorldError(where,
                       fmt::format("the included file '{}' has nothing in its root element", name));
    for (Element& child : root.children) out.children.push_back(std::move(child));
  }

  XmlTree& tree_;
  fs::path directory_;
};

}  // namespace

XmlTree read_xml_text(std::string_view xml, const std::string& name, const fs::path& directory) {
  XmlTree tree;
  TreeReader reader(tree, directory);
  reader.parse(xml, name, directory, tree.root, 0);
  return tree;
}

XmlTree read_xml_file(const fs::path& path) {
  const std::string text = read_bytes(path, Source{});
  XmlTree tree;
  TreeReader reader(tree, path.parent_path());
  std::error_code ec;
  reader.included.insert(fs::weakly_canonical(path, ec));
  reader.parse(text, path.string(), path.parent_path(), tree.root, 0);
  return tree;
}

}  // namespace abut
