// Messages between processes that share an address: a fixed header and file descriptors (SCM_RIGHTS), on
// SOCK_SEQPACKET sockets with abstract names. Names live in the network namespace, as the port does, and die
// with their process.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "uroce/net/host/unique_fd.h"

namespace uroce::net::share {

// Prefix of all abstract socket names of this device.
inline constexpr char kNamesBegin[] = "uroce.";

enum class Type : uint16_t {
  fetch = 1,  // "send me your sockets"; answered by tables
  table = 2,  // sockets of the places first .. first+count-1, of `total`
  push = 3,   // a table, unasked, from a process that has joined
  ring = 4,  // "packets of mine will come through this": a ring (shm/ring.h) of `first` bytes of records, and
             // the page of the sender's bell (shm/bell.h) and an eventfd; answered by ring_taken
  ring_taken = 5,  // the page of the receiver's bell, and an eventfd
};

struct Header {
  uint32_t magic = 0x75726f63;
  uint16_t version = 1;
  Type type = Type::fetch;
  uint32_t first = 0;
  uint32_t count = 0;
  uint32_t total = 0;
};

// Sockets a message carries; the kernel takes at most 253 (SCM_MAX_FD).
inline constexpr uint32_t kMaxFds = 128;

struct Message {
  Header header;
  std::vector<UniqueFd> fds;
};

// All calls are non-blocking and return 0 or errno; receive gives EPIPE at the end of the connection and
// EPROTO for anything that is not a message of ours.
int send_message(int fd, const Header& header, const int* fds);
int receive_message(int fd, Message* out);

// A listening socket with this abstract name, which gets a tag of this user (user_key.h). EADDRINUSE: a process
// of this user has that name. Another user's process that holds it is named on stderr and does not count.
int listen_abstract(const std::string& name, UniqueFd* out);
// Connects; ECONNREFUSED when no process of this user has the name.
int connect_abstract(const std::string& name, UniqueFd* out);
// An errno of accept(): the connection waits, and there is no descriptor for it.
inline bool out_of_descriptors(int error) { return error == EMFILE || error == ENFILE; }
// True when the process at the other end has our effective user id.
bool same_user(int fd);
// The process at the other end; 0 where this process cannot see it (another PID namespace).
pid_t peer_of(int fd);
// True when the process that listens at the other end of a connection can answer: it is neither stopped
// (SIGSTOP, a debugger) nor gone. False also where this process cannot see it.
bool runs(int fd);
bool process_runs(pid_t pid);
// Numbers N for which "<prefix>N" is an abstract name in use, ascending, from /proc/net/unix; nothing when
// that cannot be read.
std::optional<std::vector<uint32_t>> numbered_names(const std::string& prefix);

}  // namespace uroce::net::share
