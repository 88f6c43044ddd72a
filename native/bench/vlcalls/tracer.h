// Counts the system calls of another process, thread by thread, with ptrace.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace vlcalls {

struct Count {
  uint64_t calls = 0;  // calls that have returned
  uint64_t empty = 0;  // calls among them with EAGAIN: there was nothing to do
};

// Counts by the name of the thread and the number of the call.
using Counts = std::map<std::pair<std::string, uint64_t>, Count>;

class Tracer {
 public:
  explicit Tracer(pid_t process) : process_(process) {}

  // Attaches to every thread; later ones are followed. Throws std::system_error.
  void attach();
  // True once every thread of the start has been stopped and goes on under observation.
  bool attached() const noexcept { return pending_ == 0; }
  // Handles the reports of threads. False once the process is gone.
  bool handle();
  Counts counts() const;

 private:
  struct Thread {
    bool begun = false;   // its first stop is over
    bool inside = false;  // in a system call
    uint64_t number = 0;  // number of the call
    std::map<uint64_t, Count> counts;
  };

  bool attach_new();
  void stopped(pid_t tid, int status);
  void at_call(pid_t tid, Thread& thread);
  std::string name_of_thread(pid_t tid) const;
  void put(const std::string& name, const Thread& thread);

  pid_t process_;
  std::map<pid_t, Thread> threads_;
  size_t pending_ = 0;
  Counts ended_;
};

}  // namespace vlcalls
