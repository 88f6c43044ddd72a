// /proc/PID/stat of a process or thread (proc(5)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>

namespace uroce {

struct ProcessStat {
  char state = 0;
  pid_t session = 0;
  unsigned flags = 0;  // PF_* of include/linux/sched.h
  // CPU time in ticks, and that of children that have ended and been waited for.
  unsigned long long user = 0, system = 0;
  long long user_of_ended = 0, system_of_ended = 0;
  long threads = 0;
  unsigned long long started = 0;  // ticks since boot
  long pages = 0;                  // resident
};

// Reads the fields of one line; nothing if it is none.
inline std::optional<ProcessStat> parse_process_stat(const char* line) noexcept {
  // The name of the program stands in parentheses and may hold anything.
  const char* rest = std::strrchr(line, ')');
  if (rest == nullptr) return std::nullopt;
  ProcessStat s;
  // state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime cutime cstime
  // priority nice num_threads itrealvalue starttime vsize rss
  const int read = std::sscanf(
      rest + 1, " %c %*d %*d %d %*d %*d %u %*u %*u %*u %*u %llu %llu %lld %lld %*d %*d %ld %*d %llu %*u %ld",
      &s.state, &s.session, &s.flags, &s.user, &s.system, &s.user_of_ended, &s.system_of_ended, &s.threads,
      &s.started, &s.pages);
  if (read != 10) return std::nullopt;
  return s;
}

// Reads FOLDER/stat, FOLDER being /proc/PID or /proc/PID/task/TID. Nothing once it is gone.
inline std::optional<ProcessStat> read_process_stat(const std::string& folder) {
  std::string line;
  std::getline(std::ifstream(folder + "/stat"), line);
  return parse_process_stat(line.c_str());
}

}  // namespace uroce
