#include "process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <utility>

extern char** environ;

Process::Process(const std::vector<std::string>& command) {
  std::signal(SIGPIPE, SIG_IGN);  // a child that has died is found out when it is read
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe to " + command[0]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const int error = posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  to_ = fdopen(in[1], "w");
  from_ = fdopen(out[0], "r");
  if (error != 0) {
    std::fclose(to_);
    std::fclose(from_);
    throw std::runtime_error(command[0] + " can't be started");
  }
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      to_(std::exchange(other.to_, nullptr)),
      from_(std::exchange(other.from_, nullptr)) {}

Process::~Process() {
  if (pid_ < 0) return;
  std::fclose(to_);  // the end of its input ends the child
  std::fclose(from_);
  waitpid(pid_, nullptr, 0);
}

void Process::say(const std::string& line) {
  std::fputs((line + '\n').c_str(), to_);
  std::fflush(to_);
}

std::string Process::answer() {
  std::string line;
  for (int c; (c = std::fgetc(from_)) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
    } else if (line.starts_with('{')) {
      return line;
    } else {
      line.clear();
    }
  }
  throw std::runtime_error("ended without an answer");
}
