// The sockets of the device as a Link: UDP_SEGMENT out, UDP_GRO in, with plain datagrams where the kernel
// lacks them.
//
// A send costs about 3 us on loopback whatever its size, so batches are as long as the kernel takes. A
// receive takes one large datagram at a time into the same buffer while datagrams are large (it stays in
// the cache), and many at once while they are small.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "uroce/net/host/address.h"
#include "uroce/net/host/clock.h"
#include "uroce/net/udp/link.h"
#include "uroce/net/udp/udp_socket.h"
#include "uroce/wire/bytes.h"

namespace uroce::net {

// Before a packet that the fault injector marks as congested leaves for a process of this host, a notice
// tells that process to look at IP headers. On loopback it reads lone small datagrams without their
// headers, which saves 7 % of the CPU time of a message.
//
// The notice is shorter than any packet. The destination QPN is where a BTH has it, so it is steered as the
// packet is.
using MarkNotice = std::array<uint8_t, 12>;
inline constexpr std::size_t kNoticeQpn = 5;

inline MarkNotice mark_notice(uint32_t dest_qpn) {
  MarkNotice notice{0xfe, 'm', 'a', 'r', 'k', 0, 0, 0, 's', 'o', 'o', 'n'};
  wire::store24(&notice[kNoticeQpn], dest_qpn);
  return notice;
}

inline bool is_mark_notice(const uint8_t* data, uint32_t length) {
  constexpr std::size_t kEnd = kNoticeQpn + 3;
  const MarkNotice notice = mark_notice(0);
  return length == notice.size() && std::memcmp(data, notice.data(), kNoticeQpn) == 0 &&
         std::memcmp(data + kEnd, &notice[kEnd], notice.size() - kEnd) == 0;
}

struct LinkCounters {
  uint64_t sends = 0;     // system calls that sent something
  uint64_t receives = 0;  // system calls that received something
  uint64_t datagrams_in = 0;
  uint64_t bytes_in = 0;   // from the BTH to the ICRC
  uint64_t bytes_out = 0;  // from the BTH to the ICRC, taken by the kernel
  uint64_t busy = 0;       // sends that the kernel refused for want of room (EAGAIN, ENOBUFS)
  uint64_t lost = 0;       // packets that the kernel refused for good
  uint64_t kernel_ns = 0;  // spent in system calls that did something
};

class UdpLink final : public Link {
 public:
  struct Socket {
    int fd;
    Gid gid;
    uint32_t overruns_before = 0;  // overruns of earlier owners, and of filtered senders
    uint32_t drops_at_filter = 0;
  };
  UdpLink(std::vector<Socket> sockets, const UdpFeatures& features);
  ~UdpLink() override;

  SendResult send(const GsoBatch& batch) override;
  // Batches of one socket share a system call (sendmmsg).
  std::size_t send_all(std::span<const GsoBatch> batches) override;
  uint32_t receive(DatagramHandler& handler, uint32_t max) override;

  // For receiving only (multicast groups).
  void add_socket(const Socket& socket);
  void remove_socket(int fd);

  // Delivers the fields of the IP headers with datagrams from now on (UD queue pairs pass them on), at the
  // price of control messages: receives are no longer plain.
  void show_headers();

  const LinkCounters& counters() const { return counters_; }
  // Datagrams that the sockets had no room for since this link took them over.
  uint64_t overruns() const;
  // Makes the kernel drop datagrams from other addresses than these and our own, except management
  // datagrams (sender_filter.h).
  void filter_senders(std::span<const Gid> known);
  // Removes the filter of filter_senders().
  void remove_filter();
  bool filtering() const { return filtering_; }
  // Datagrams that the kernel dropped while the filter was attached, those for want of room among them.
  uint64_t filtered_datagrams() const;
  // Switches kernel_ns on or off.
  void set_timed(bool timed) { timed_ = timed; }
  // Stamps datagrams from now on, with one reading of the clock per receive. nullptr: stops.
  void stamp(OrderedClock* clock) { clock_ = clock; }

 private:
  struct ReceiveBuffer;  // buffers of recvmmsg for one datagram
  // The segment size that the socket has by default (setsockopt), and how often in a row another one was
  // asked for. A size that stays the same is set once: a control message with every send costs 0.1 us,
  // which a ping-pong feels.
  struct Segmenting {
    int fd;
    uint32_t set = 0;
    uint32_t last = 0;
    uint32_t streak = 0;
  };
  bool segment_as_default(int fd, uint32_t segment, uint32_t length);
  bool segmented(const GsoBatch& batch) const { return features_.gso && batch.counted; }
  // Number of batches at the front that may share a system call.
  std::size_t together(std::span<const GsoBatch> batches) const;
  // Mark notices: sending one, and receiving one.
  void announce_mark(const GsoBatch& batch);
  void expect_mark(const uint8_t* notice);
  SendResult send_segmented(const GsoBatch& batch);
  int send_together(std::span<const GsoBatch> batches);
  SendResult send_plain(const GsoBatch& batch);
  SendResult explain(int error, uint32_t packets);
  uint32_t receive_plain(const Socket& socket, DatagramHandler& handler);
  void note_receive(uint64_t before, uint32_t datagrams);
  void note_arrival(const Socket& socket, uint32_t datagrams, uint32_t length);
  uint32_t receive_from(const Socket& socket, DatagramHandler& handler, uint32_t max);
  bool is_same_host(const Gid& source, const Gid& destination) const;
  void deliver(const Socket& socket, uint32_t index, DatagramHandler& handler);
  void hand_over(const Socket& socket, const sockaddr_storage& from, Datagram* datagram,
                 DatagramHandler& handler);

  std::vector<Socket> sockets_;
  UdpFeatures features_;
  LinkCounters counters_;
  bool timed_ = true;
  OrderedClock* clock_ = nullptr;
  uint64_t received_at_ = 0;  // arrival of the datagrams at hand; 0: not taken
  bool filtering_ = false;
  uint64_t filtered_before_ = 0;        // until the last remove_filter()
  std::vector<Segmenting> segmenting_;  // by socket
  uint32_t plain_sent_ = 0;  // packets of the current batch that went out before the kernel was busy

  std::unique_ptr<uint8_t[]> buffers_;
  std::unique_ptr<ReceiveBuffer[]> receive_buffers_;
  std::unique_ptr<mmsghdr[]> headers_;
  uint32_t batch_ = 1;        // datagrams asked for at once
  bool more_likely_ = false;  // the last receive found several: poll again before reporting the end
  bool plain_receive_ = false;
  bool show_headers_ = false;
  bool marks_ = false;             // a process of this host marks packets (MarkNotice)
  uint32_t noticed_qpn_ = 0;       // destination of the first marked packet; 0: it has arrived
  uint32_t lone_arrivals_ = 0;     // small datagrams that came alone, in a row
  uint32_t hits_ = 0;              // receives in a row that found something
  std::size_t active_socket_ = 0;  // socket that last had a datagram
  uint32_t empty_polls_ = 0;
  // The last sender, since most datagrams have the same one.
  sockaddr_storage last_from_{};
  Gid last_source_{};
  bool last_same_host_ = false;
};

}  // namespace uroce::net
