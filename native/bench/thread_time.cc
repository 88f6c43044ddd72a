#include "bench/thread_time.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace vlbench {

std::optional<ThreadTime> ThreadTime::find(const std::string& name) {
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::string own;
    std::getline(std::ifstream(task.path() / "comm"), own);
    if (own == name) return ThreadTime(task.path().string());
  }
  return std::nullopt;
}

std::optional<uint64_t> ThreadTime::system_ns() const {
  std::string line;
  std::getline(std::ifstream(folder_ + "/stat"), line);
  // The name, in parentheses, may hold anything. Then: state ppid pgrp session tty tpgid flags minflt cminflt
  // majflt cmajflt utime stime ...
  const std::size_t end = line.rfind(')');
  unsigned long long ticks = 0;
  if (end == std::string::npos ||
      std::sscanf(line.c_str() + end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %llu", &ticks) !=
          1)
    return std::nullopt;
  return ticks * (1'000'000'000ull / static_cast<unsigned long long>(sysconf(_SC_CLK_TCK)));
}

}  // namespace vlbench
