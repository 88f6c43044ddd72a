// Common parts of the loops over TCP: connections, moving bytes, leaving a blocking call. One thread serves
// all connections of a side. Internal to bench/.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/socket.h"
#include "bench/socket_loop.h"

namespace vlbench {

class TcpLoop : public Loop {
 public:
  TcpLoop(const TcpOptions& options, Callbacks callbacks);

 protected:
  // A chunk that was written and waits for its acknowledgment.
  struct Mark {
    uint64_t end;   // stream offset
    uint64_t time;  // start of its write
  };
  static constexpr size_t kMarks = 1 << 16;  // chunks in flight: more than any socket buffer holds

  struct Stream {
    Socket socket;
    uint64_t written = 0;      // bytes
    uint64_t chunk_left = 0;   // bytes of the chunk being written
    uint64_t chunk_start = 0;  // its time
    uint64_t acked = 0;
    uint64_t received = 0;
    uint64_t chunks = 0;
    uint32_t until_ack = 1;
    std::vector<Mark> marks;
    size_t mark_head = 0;
    size_t mark_tail = 0;
    size_t place = 0;          // start of the chunk that is being sent
    size_t receive_place = 0;  // place for the next bytes
    bool closed = false;
  };

  // Runs the loop on established connections.
  virtual EndReason work() = 0;

  // Makes one send or receive. -1: nothing moved, the caller checks whether it must end.
  ssize_t move(Stream& s, bool out, uint8_t* data, size_t length);
  // Sleeps until `fd` is ready or the loop is kicked. `limit_ns` 0: no limit.
  bool sleep(int fd, short events, uint64_t limit_ns);
  // Waits for any stream; `pause` is the time for which the rate holds the next chunk back.
  void sleep_for_any(uint64_t pause);
  // Ends the measured time and the streams because the loop was stopped or its time is up.
  EndReason leave();
  // Closes so that the peer sees the end of the stream, not a reset, unless bytes from it were left unread.
  void hang_up();
  uint64_t messages_wanted() const noexcept { return tcp_.iterations == 0 ? UINT64_MAX : tcp_.iterations; }

  // Bytes per receive, or a chunk if that is more.
  static constexpr uint64_t kReceiveBytes = 256 * 1024;
  TcpOptions tcp_;
  bool sends_ = false;
  bool receives_ = false;
  bool block_ = false;
  std::vector<uint8_t> buffer_;
  std::vector<Stream> streams_;

 private:
  void kick() noexcept override;
  EndReason run() override;
  void connect_all();
  void size_buffers(const Socket& socket) const;
  void add(Socket socket);
  void clear_wake(short revents) const;

  Socket wake_fd_;
  std::atomic<int> blocked_fd_{-1};
  std::atomic<bool> cut_{false};
  std::vector<pollfd> fds_;
};

std::unique_ptr<Loop> make_tcp_stream(const TcpOptions&, Callbacks);
std::unique_ptr<Loop> make_tcp_pingpong(const TcpOptions&, Callbacks);

}  // namespace vlbench
