// What stopped a program, for the agent.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace vlconfine {

struct Verdict {
  // time, cpu, memory, memory-files, files, fork, socket, path, device; empty: nothing did.
  std::string stopped;
  // The system call with what it named.
  std::string call;
  std::string path;
  // Of the unit of the limit: seconds, MiB or files. 0 where there is none.
  uint64_t limit = 0;
  // System calls that failed because no program needs them.
  std::set<std::string> tried = {};
};

// One line of JSON. `network`: the program had a network of its own.
std::string to_json(const Verdict& verdict, bool network);

}  // namespace vlconfine
