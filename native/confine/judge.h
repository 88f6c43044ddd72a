// Decides on the system calls that the filter asks about.
#pragma once

#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <optional>
#include <variant>

#include "confine/options.h"
#include "confine/target.h"
#include "confine/verdict.h"

namespace vlconfine {

struct Pass {};  // the kernel carries it out
struct Refuse {
  int error;
};
struct Done {};  // the launcher carried it out
struct Open {
  int fd;
};  // the call gives this descriptor, which the launcher opened; the judge's reader closes it

union Address {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
  sockaddr_un local;
  sockaddr_storage room;
};

using Ruling = std::variant<Pass, Refuse, Done, Open, Verdict>;

class Judge {
 public:
  Judge(const Options& options, const Target& target, bool network);

  Ruling rule(const seccomp_data& call);

 private:
  Ruling process(const seccomp_data& call);
  Ruling connect_to(const seccomp_data& call) const;
  std::optional<Verdict> refuse_peer(const Address& to, socklen_t length) const;
  Ruling datagram(const seccomp_data& call, const char* name, uint64_t address, uint64_t length) const;
  Ruling message(const seccomp_data& call, const char* name) const;
  Ruling open_file(const char* name, int folder, uint64_t path, uint64_t flags) const;
  Ruling change(const char* name, int folder, uint64_t path) const;
  bool readable(const std::string& path) const;
  bool writable(const std::string& path) const;

  const Options& options_;
  const Target& target_;
  const bool network_;
  const std::string folder_;
  std::vector<std::string> readable_;
  bool started_ = false;
  unsigned memory_files_ = 0;
};

}  // namespace vlconfine
