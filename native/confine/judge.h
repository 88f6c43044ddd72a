// Decides on the system calls that the filter asks about.
#pragma once

#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "confine/confine.h"
#include "confine/target.h"

namespace vlconfine {

union Address {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
  sockaddr_un local;
  sockaddr_storage room;
};

struct Pass {};  // the kernel carries it out
struct Refuse {
  int error;
};
struct Done {};  // the launcher carried it out
struct Connect {
  int fd;
  Address to;
  socklen_t length;
};  // the launcher connects this copy of the socket, which may take as long as its peer wants; the reader closes it
struct Tried {
  std::string call;
  int error;
};  // fails, as no program needs it
struct Open {
  int fd;
};  // the call gives this descriptor, which the launcher opened; the judge's reader closes it

// Ends the program.
inline Verdict stop(const char* what, const std::string& call, const std::string& path = "") {
  return Verdict{what, call, path, 0};
}

using Ruling = std::variant<Pass, Refuse, Done, Open, Connect, Tried, Verdict>;

class Judge {
 public:
  Judge(const Options& options, const Target& target, bool network);

  Ruling rule(const seccomp_data& call);

 private:
  Ruling process(const seccomp_data& call);
  // Rulings on sockets: judge_sockets.cc.
  static Ruling make_socket(int family, int type);
  Ruling connect_to(const seccomp_data& call) const;
  std::optional<Verdict> refuse_peer(const Address& to, socklen_t length) const;
  Ruling datagram(const seccomp_data& call, const char* name, uint64_t address, uint64_t length) const;
  Ruling bind_to(const seccomp_data& call) const;
  bool reachable(const sockaddr_un& name, size_t size) const;
  Ruling message(const seccomp_data& call, const char* name) const;
  Ruling key(const std::string& file);
  Ruling open_file(const char* name, int folder, uint64_t path, uint64_t flags);
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
  uint64_t shared_bytes_ = 0;  // memory without a file that was ever mapped shared
  int locked_key_ = -1;        // descriptor of the key of this user's other programs, locked
};

}  // namespace vlconfine
