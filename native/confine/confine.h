// Common header of vlconfine: the command line, and the interfaces of its parts.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "uroce/error.h"

namespace vlconfine {

using uroce::Error;  // thrown: a failure of the launcher itself, not of the program

// Throws an Error with errno and its text.
[[noreturn]] inline void fail(const std::string& what) {
  const int code = errno;
  throw Error{code, what + ": " + std::strerror(code)};
}

// The command line.
struct Options {
  std::string folder;             // the only one that may be written
  std::vector<std::string> read;  // besides the paths that every program needs of the system
  std::string keys;               // folder for the file that the device keeps its key in
  std::string feed;               // the only socket that may be connected to by its path
  std::string verdict;            // file for the verdict: the reason why the program was stopped
  unsigned cpu_seconds = 10;
  unsigned seconds = 20;
  uint64_t memory_bytes = uint64_t{512} << 20;
  uint64_t files_bytes = uint64_t{32} << 20;
  bool compiler = false;       // processes may be started; no sockets; files elsewhere are refused, not fatal
  std::vector<char*> command;  // ends with a null pointer
};

// ---- calls.cc: the system calls that a confined program may make. All others fail, and the launcher
// reports which were tried.

// Calls of Node, the device, the C library and compilers that the kernel may carry out unseen: they reach
// nothing but the process itself and descriptors that were decided on when they were opened.
std::vector<long> harmless_calls();

// Calls that only compilers may make unseen: starting programs, and naming files, which Landlock decides
// on.
std::vector<long> compiler_calls();

// Requests of ioctl(2), commands of fcntl(2) and options of prctl(2) that are equally harmless.
std::vector<long> harmless_ioctls();
std::vector<long> harmless_fcntls();
std::vector<long> harmless_prctls();

// Name of a call as in <sys/syscall.h>; the number for calls that are newer than that header.
std::string name_of_call(long number);

// ---- filter.cc: seccomp: calls that pass and calls that fail. The launcher decides on all others.

// Installs the filter on this process, for good, and returns the descriptor at which the launcher receives
// calls. No new privileges must be set. `compiler`: as in Options. Throws Error.
int install_filter(bool compiler);

// True if the kernel has all features that the filter needs.
bool filter_works();

// ---- landlock.cc: the files that the program can reach.

// The version that the kernel offers; 0 if it has none.
int landlock_version();

// Restricts this process, from now on and for good. Throws Error.
void restrict_files(const Options& options);

// Paths (prefixes) of the system that a program needs to start, and may read.
const std::vector<std::string>& system_paths();

// ---- child.cc: a network for the program alone: loopback, and nothing else. Its System V IPC is separate,
// too.

// Moves this process into a new user, network and IPC namespace. False if the kernel refuses, possibly
// after it has let the process into them: Ubuntu 24.04 refuses the user IDs, or the loopback interface. So
// call can_isolate_network() first.
bool isolate_network();

// Tries isolate_network() in another process, with which the namespaces end.
bool can_isolate_network();

// ---- child.cc: the process that becomes the program.

struct Child {
  pid_t pid;
  int pidfd;
  int listener;  // where the filter asks
  bool network;  // it has a separate network
};

// Starts the child, confined, and stops it right before it executes the program. Throws Error.
Child start_child(const Options& options);

// ---- supervisor.cc: the reason why a program was stopped, for the agent.

struct Verdict {
  // time, cpu, memory, memory-files, files, fork, socket, path, device; empty: it was not stopped.
  std::string stopped;
  // The system call with its object.
  std::string call;
  std::string path;
  // Limit in its unit: seconds, MiB or files. 0 if there is none.
  uint64_t limit = 0;
  // System calls that failed because no program needs them.
  std::set<std::string> tried = {};
};

// The verdict as one line of JSON. `network`: the program had a separate network.
std::string to_json(const Verdict& verdict, bool network);

// ---- supervisor.cc: watches the program until it ends, and stops it.

struct End {
  int status;  // as wait(2) gives it
  Verdict verdict;
};

// Throws Error.
End supervise(const Options& options, const Child& child);

}  // namespace vlconfine
