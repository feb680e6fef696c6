// A child process that is asked and answers by lines.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

class Process {
 public:
  // Throws std::runtime_error when it can't be started.
  explicit Process(const std::vector<std::string>& command);
  ~Process();
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;

  void say(const std::string& line);
  // The next line that begins with '{'; throws std::runtime_error when the process ends.
  std::string answer();

 private:
  pid_t pid_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};
