// Damaged copies of good files: bytes changed, cut, repeated; numbers made huge, tiny, negative or no
// numbers at all; pieces of other files in between.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/random.h"

namespace abut::fuzz {

class Damage {
 public:
  Damage(std::vector<std::string> seeds, unsigned seed) : seeds_(std::move(seeds)), random_(seed) {}

  // The next damaged file: 1 to 6 mutations of a seed.
  std::string next() {
    std::string text = any(seeds_);
    for (int n = random_.integer(1, 6); n > 0; --n) mutate(text);
    return text;
  }

 private:
  template <class T>
  const T& any(const std::vector<T>& of) {
    return of[static_cast<std::size_t>(random_.integer(0, static_cast<int>(of.size()) - 1))];
  }
  std::size_t place(const std::string& text) {
    return static_cast<std::size_t>(random_.integer(0, static_cast<int>(text.size())));
  }

  void mutate(std::string& text) {
    const std::size_t at = place(text), length = static_cast<std::size_t>(random_.integer(1, 40));
    switch (random_.integer(0, 6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random_.integer(0, 255));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(place(text), length));
        break;
      case 3: {
        const std::string& other = any(seeds_);
        text.insert(at, other.substr(place(other), 8 * length));
        break;
      }
      case 4:
        text.resize(at);
        break;
      default:
        change_number(text, at);
    }
  }

  // The first number from `at` on becomes one of those that programs trip over.
  void change_number(std::string& text, std::size_t at) {
    static const std::vector<std::string> kNumbers = {
        "0",    "-1",  "1e308",      "-1e308", "1e-320", "nan",      "inf", "1e400", "2147483648",
        "1e16", "-0.", "4294967297", "1e-9",   "",       "0x1p1023", "3 3", "99999"};
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string::npos) return;
    std::size_t end = text.find_first_not_of("0123456789.eE+-", begin);
    if (end == std::string::npos) end = text.size();
    text.replace(begin, end - begin, any(kNumbers));
  }

  std::vector<std::string> seeds_;
  test::Random random_;
};

}  // namespace abut::fuzz
