#include "abut/load/mjcf/mjcf_schema.h"

#include <fmt/format.h>

#include <unordered_map>

#include "abut/load/attributes.h"
#include "abut/load/mjcf/mjcf_schema_table.h"
#include "abut/math/suggest.h"

namespace abut {
namespace {

struct AttributeRule {
  std::string_view name;
  Fate fate = Fate::read;
  bool in_default = true;
};

struct Rule;
struct ChildRule {
  std::string_view tag;
  const Rule* rule = nullptr;  // null: its inside is not looked at
  bool warned = false;
};

struct Rule {
  std::string_view name;
  std::vector<AttributeRule> attributes;
  std::vector<ChildRule> children;

  const AttributeRule* attribute(std::string_view n) const {
    for (const AttributeRule& a : attributes)
      if (a.name == n) return &a;
    return nullptr;
  }
  const ChildRule* child(std::string_view tag) const {
    for (const ChildRule& c : children)
      if (c.tag == tag) return &c;
    return nullptr;
  }
};

template <typename F>
void for_each_word(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// The table of mjcf_schema_table.h, parsed once.
class Schema {
 public:
  Schema() {
    for (const SchemaRow& row : schema_table()) rules_[row.name].name = row.name;
    for (const SchemaRow& row : schema_table()) {
      Rule& rule = rules_[row.name];
      add_attributes(rule, row.attributes);
      for_each_word(row.children, [&](std::string_view word) { add_child(rule, word); });
    }
  }
  const Rule& rule(std::string_view name) const { return rules_.at(name); }
  const std::unordered_map<std::string_view, Rule>& rules() const { return rules_; }

 private:
  void add_attributes(Rule& rule, std::string_view words) {
    for_each_word(words, [&](std::string_view word) {
      if (word.front() == '@') {
        add_attributes(rule, schema_group(word.substr(1)));
        return;
      }
      AttributeRule a;
      a.in_default = word != "name" && word != "class";
      for (bool mark = true; mark;) {
        switch (word.front()) {
          case '^':
            a.in_default = false;
            break;
          case '~':
            a.fate = Fate::silent;
            break;
          case '?':
            a.fate = Fate::noted;
            break;
          case '!':
            a.fate = Fate::warned;
            break;
          default:
            mark = false;
        }
        if (mark) word.remove_prefix(1);
      }
      a.name = word;
      rule.attributes.push_back(a);
    });
  }

  void add_child(Rule& rule, std::string_view word) {
    if (word.front() == '@') {
      for_each_word(schema_group(word.substr(1)), [&](std::string_view w) { add_child(rule, w); });
      return;
    }
    ChildRule child;
    child.warned = word.front() == '!';
    if (child.warned) word.remove_prefix(1);
    const std::size_t colon = word.find(':');
    child.tag = word.substr(0, colon);
    const auto found = rules_.find(colon == word.npos ? word : word.substr(colon + 1));
    if (found != rules_.end()) child.rule = &found->second;
    rule.children.push_back(child);
  }

  std::unordered_map<std::string_view, Rule> rules_;
};

const Schema& schema() {
  static const Schema instance;
  return instance;
}

class Checker {
 public:
  explicit Checker(Warnings& warnings) : warnings_(warnings) {}

  void check(const Element& e, const Rule& rule, bool in_default, bool warned_already) {
    for (const Attribute& a : e.attributes) {
      const AttributeRule* known = rule.attribute(a.name);
      if (!known || (in_default && !known->in_default)) unknown_attribute(e, rule, a.name, known);
      if (warned_already) continue;
      if (known->fate == Fate::warned)
        warnings_.once(
            fmt::format("{} {}", rule.name, a.name), e.where,
            fmt::format("attribute '{}' of <{}> is not simulated by abut", a.name, e.tag));
      if (known->fate == Fate::noted)
        warnings_.once("solver parameters", e.where,
                       "solref, solimp and their like are kept, but abut's contact models do not "
                       "use them");
    }
    const bool defaults = rule.name == "default";
    for (const Element& c : e.children) {
      const ChildRule* known = rule.child(c.tag);
      if (!known) unknown_child(c, e, rule);
      if (known->warned)
        warnings_.once(fmt::format("<{}>", c.tag), c.where,
                       fmt::format("<{}> is not simulated by abut", c.tag));
      if (known->rule)
        check(c, *known->rule, defaults && c.tag != "default", warned_already || known->warned);
    }
  }

 private:
  [[noreturn]] static void unknown_attribute(const Element& e, const Rule& rule,
                                             std::string_view name, const AttributeRule* known) {
    if (known)
      fail(e,
           fmt::format("attribute '{0}' of <{1}> cannot be in a <default>; write it in each <{1}>",
                       name, e.tag));
    std::vector<std::string_view> names;
    for (const AttributeRule& a : rule.attributes) names.push_back(a.name);
    if (names.empty()) fail(e, fmt::format("<{}> takes no attributes; remove '{}'", e.tag, name));
    fail(e, fmt::format("unknown attribute '{}' in <{}>{}", name, e.tag, suggestion(name, names)));
  }

  [[noreturn]] static void unknown_child(const Element& c, const Element& parent,
                                         const Rule& rule) {
    std::vector<std::string_view> tags;
    for (const ChildRule& known : rule.children) tags.push_back(known.tag);
    if (tags.empty())
      fail(c, fmt::format("<{}> cannot contain <{}>; move it out", parent.tag, c.tag));
    fail(c,
         fmt::format("unknown element <{}> in <{}>{}", c.tag, parent.tag, suggestion(c.tag, tags)));
  }

  Warnings& warnings_;
};

}  // namespace

void check_schema(const Element& mujoco, Warnings& warnings) {
  Checker(warnings).check(mujoco, schema().rule("mujoco"), false, false);
}

std::vector<KnownAttribute> known_attributes() {
  std::vector<KnownAttribute> all;
  for (const SchemaRow& row : schema_table())
    for (const AttributeRule& a : schema().rule(row.name).attributes)
      all.push_back({row.name, a.name, a.fate});
  return all;
}

}  // namespace abut
