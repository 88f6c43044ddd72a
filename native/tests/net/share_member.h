// A real process on an address, for tests of the interaction of processes.
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "uroce/net/share/share.h"
#include "uroce/net/udp/udp_socket.h"

namespace uroce::net::test {

// A process that joins, reports its slot through a pipe, and then serves others until it is ended.
class Member {
 public:
  explicit Member(const std::string& addresses) {
    int ends[2];
    if (pipe(ends) != 0) abort();
    pid_ = fork();
    if (pid_ == 0) {
      close(ends[0]);
      run(addresses, ends[1]);
    }
    close(ends[1]);
    from_.reset(ends[0]);
  }
  ~Member() { end(SIGKILL); }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  // The slot, or -1 when it could not join.
  int slot() {
    int value = -1;
    if (!told_ && read(from_.get(), &value, sizeof value) == sizeof value) slot_ = value;
    told_ = true;
    return slot_;
  }
  void signal(int number) { kill(pid_, number); }
  // Stops the process and waits until it has stopped.
  void stop() {
    signal(SIGSTOP);
    waitpid(pid_, nullptr, WUNTRACED);
  }
  void end(int number) {
    if (pid_ == 0) return;
    kill(pid_, number);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  [[noreturn]] static void run(const std::string& addresses, int to) {
    const auto plan = plan_addresses(addresses.c_str(), nullptr);
    auto share = AddressShare::join(*plan, probe_udp_features());
    const int value = share ? static_cast<int>((*share)->slot()) : -1;
    if (!share) fprintf(stderr, "%s\n", share.error().text.c_str());
    if (write(to, &value, sizeof value) != sizeof value) _exit(1);
    while (share) {
      pollfd p{(*share)->fd(), POLLIN, 0};
      if (poll(&p, 1, -1) > 0) (*share)->serve();
    }
    _exit(1);
  }
  pid_t pid_ = 0;
  UniqueFd from_;
  bool told_ = false;
  int slot_ = -1;
};

}  // namespace uroce::net::test
