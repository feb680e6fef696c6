// A scanner over the words of a text file that knows its current line.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>

#include "abut/model/world.h"

namespace abut {

class TextScanner {
 public:
  TextScanner(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  // The next word on this line; empty at its end. A backslash at the end of a line joins it to the
  // next.
  std::string_view word() {
    while (at_ < text_.size() && (blank(text_[at_]) || joined())) {
      if (text_[at_] == '\\') {
        at_ = text_.find('\n', at_);
        ++line_;
      }
      ++at_;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && !blank(text_[at_]) && text_[at_] != '\n') ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // Moves to the next line; false at the end.
  bool next_line() {
    const std::size_t end = text_.find('\n', at_);
    if (end == text_.npos) {
      at_ = text_.size();
      return false;
    }
    at_ = end + 1;
    ++line_;
    return at_ < text_.size();
  }

  float number() {
    std::string_view w = word();
    if (w.size() > 1 && w.front() == '+') w.remove_prefix(1);
    float value = 0;
    const auto [end, status] = std::from_chars(w.data(), w.data() + w.size(), value);
    const bool whole = !w.empty() && end == w.data() + w.size();
    const bool tiny = status == std::errc::result_out_of_range && w.find('-', 1) != w.npos;
    if (whole && tiny) return 0;
    if (!whole || status != std::errc{} || !std::isfinite(value))
      fail(fmt::format("'{}' is not a usable number; repair the file", w.substr(0, 40)));
    return value;
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw WorldError(Source{std::make_shared<const std::string>(file_), line_}, message);
  }

 private:
  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  bool joined() const {
    if (text_[at_] != '\\') return false;
    std::size_t i = at_ + 1;
    while (i < text_.size() && blank(text_[i])) ++i;
    return i < text_.size() && text_[i] == '\n';
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace abut
