// Packets between processes of one host through rings in shared memory, without a system call per packet.
//
// A channel leads from this process to the process in that slot of that address. It is opened on first use.
// If the other process accepts the ring, all packets of this flow take it. If there is no such process
// here, or it refuses, they go through the sockets. Until that is known they are held back, so that packets
// never overtake each other.
//
// The connection on which the ring was handed over stays open and ends with the process at the other end,
// however it dies. The channel is opened again on the next use.
//
// Engine lock, but for bell().
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "uroce/net/host/clock.h"
#include "uroce/net/host/unique_fd.h"
#include "uroce/net/share/share.h"
#include "uroce/net/share/share_message.h"
#include "uroce/net/shm/bell.h"
#include "uroce/net/shm/memory.h"
#include "uroce/net/shm/ring.h"
#include "uroce/net/udp/link.h"

namespace uroce::net {

struct ShmCounters {
  uint64_t packets_out = 0;
  uint64_t bytes_out = 0;
  uint64_t packets_in = 0;
  uint64_t bytes_in = 0;
  uint64_t full = 0;     // times that a channel had no room for a packet
  uint64_t broken = 0;   // rings given up because the other process wrote invalid data
  uint64_t refused = 0;  // channels that could not be opened and go through the sockets
};

// Path of the packets of one flow to one slot.
class ShmChannel {
 public:
  enum class State : uint8_t {
    opening,  // the other process has not answered
    open,
    sockets,  // not through shared memory
  };
  State state() const { return state_; }
  // `sockets`: the reason, as an errno that shm::explain() knows; 0: not yet known.
  int error() const { return error_; }

 private:
  friend class ShmLink;
  State state_ = State::sockets;
  uint64_t retry_at_ = 0;  // sockets: time of the next attempt to open it
  uint64_t backoff_ = 0;   // ns until then; doubles
  uint64_t opened_at_ = 0;
  uint64_t next_check_ = 0;  // opening: time to check whether the other process runs at all
  int error_ = 0;
  int connection_ = -1;  // AddressShare owns it; -1: none, or our own process
  shm::SharedMemory memory_;
  std::unique_ptr<shm::RingWriter> writer_;
  shm::PeerBell bell_;
  bool unflushed_ = false;
  bool unread_ = false;               // may hold packets that the reader has not taken
  uint64_t read_up_to_ = UINT64_MAX;  // position at the last ring_late() that found packets
  uint32_t probes_ = 0;               // calls of ring_late() since the reader last took packets
  bool has_waiters_ = false;          // a sender has found it without room, or opening
  bool wakeup_requested_ = false;     // the reader knows that a sender waits for room
  uint64_t full_at_ = UINT64_MAX;     // the reader's position when the channel was last found without room
  uint64_t full_since_ = 0;           // time since which the position has not moved (ns)
  bool reader_stopped_ = false;       // for kStopped by then
};

class ShmLink final : private share::RingHandler {
 public:
  // Handles ring messages of `share`. errno as SharedMemory::create, also where the bell would fit but no
  // ring.
  static std::expected<std::unique_ptr<ShmLink>, int> create(AddressShare& share);
  // Sets the handler for a channel that becomes `sockets` although the other process is there; it gets the
  // reason (ShmChannel::error()).
  void on_obstacle(std::function<void(int error)> handler) { on_obstacle_ = std::move(handler); }
  ~ShmLink();

  // The channel of that flow to that slot. Opening it may cost some system calls.
  ShmChannel& channel(const Flow& flow, uint32_t slot);
  // Like channel(), but asks again at once if the process in that slot has refused lately.
  ShmChannel& ask_again(const Flow& flow, uint32_t slot);
  // Forgets a deleted flow: another one may get its address.
  void forget_last() { last_flow_ = nullptr; }
  // Packets of the largest size that the channel takes now: none while it opens. Only for channels that are
  // not `sockets`.
  uint32_t room(ShmChannel& channel);
  // True if the reader of a channel without room has taken nothing for half a second, so that packets that
  // need no answer may as well be lost.
  bool reader_stopped(ShmChannel& channel);
  // True if the reader has taken packets since the last call with this *position, or the channel is still
  // opening.
  static bool made_progress(ShmChannel& channel, uint64_t* position);
  // The place for a packet of that length; nullptr if there is no room. Then publish(), or nothing. The
  // other process gets the packet with flush() at the latest.
  uint8_t* reserve(ShmChannel& channel, uint32_t length);
  void publish(ShmChannel& channel, uint32_t length, const Flow& flow, uint8_t tos);
  // Hands over the published packets, and wakes sleeping readers.
  void flush();
  // The caller waits for answers. Rings for processes in a poll-mode sleep that have read nothing since the
  // last call, though there was something.
  void ring_late();
  // True if a sender was held back.
  bool waiting() const { return !waiting_channels_.empty(); }
  // True if a channel that had no room may have some now.
  bool room_returned();
  // Time when a channel with waiting senders has been opening for too long, or its reader may count as
  // stopped; kNever: none. Then call room_returned().
  uint64_t next_wake() const;
  // Sends packets that wait for a channel to open through the sockets instead.
  void stop_opening();

  // Accepts the rings of the processes that have asked to write to this one. Call after each
  // AddressShare::serve() and on its thread. Making room for a ring takes milliseconds, so `lock`, the
  // engine lock, is free meanwhile.
  template <class Lock>
  void accept_rings(Lock& lock) {
    while (!ring_requests_.empty()) {
      RingRequest& next = *ring_requests_.front();  // stays until here
      lock.unlock();
      next.inbound = map(next);
      lock.lock();
      accept_ring(next);
      ring_requests_.pop_front();
    }
  }

  // Receives about `bytes` bytes and counts the packets; true if there is more.
  bool receive(DatagramHandler& handler, uint32_t bytes, uint32_t* packets);
  // True if other processes have rings to this one, or it has one to itself.
  bool has_rings() const { return !inbound_.empty(); }

  // A thread wants to sleep until bell() is readable or something else happens. False: there is work. Every
  // true is followed by one end_sleep(), for which no lock is needed.
  bool sleep();
  void end_sleep() { bell_.end_sleep(); }
  int bell() const { return bell_.fd(); }
  // Poll-mode sleep of the engine thread, while applications poll: poll_sleep_fd() is readable when a peer
  // has waited for too long.
  void begin_poll_sleep() { bell_.begin_poll_sleep(); }
  void end_poll_sleep() { bell_.end_poll_sleep(); }
  int poll_sleep_fd() const { return bell_.poll_sleep_fd(); }

  void stamp(OrderedClock* clock) { clock_ = clock; }
  // Bytes of records in the next ring of a process that has that many rings. The pages of 64 processes that
  // all talk to each other stay below 1 GiB.
  static uint32_t ring_size(uint32_t rings);
  // Channels on the sockets are forgotten when there are this many channels, and then when their number has
  // doubled.
  static constexpr std::size_t kManyChannels = 1024;
  std::size_t channels() const { return channels_.size(); }
  const ShmCounters& counters() const { return counters_; }

 private:
  struct Inbound {
    int connection = -1;  // -1: our own
    Gid source{}, destination{};
    shm::SharedMemory memory;
    std::unique_ptr<shm::RingReader> reader;
    shm::PeerBell bell;
    UniqueFd event;      // rung by the writer: its last ring must outlive it
    bool empty = false;  // the last poll found nothing
    bool ended = false;  // the writer is gone: the rest is received
  };
  // Request of a process that wants to write.
  struct RingRequest {
    int connection;  // -1: the connection has ended meanwhile
    LocalAddress local;
    share::Message message;
    std::unique_ptr<Inbound> inbound;  // none: it handed over no ring
  };
  struct Key {
    Gid source, destination;
    uint32_t slot;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  ShmLink(AddressShare& share, shm::Bell bell) : share_(share), bell_(std::move(bell)) {}
  ShmChannel& find(const Flow& flow, uint32_t slot);
  void prune();
  void update_state(ShmChannel& channel, const Flow& flow, uint32_t slot);
  // Prepares a ring before its first use. 0, or errno if there is not enough memory.
  static int prepare(const shm::SharedMemory& ring);
  static std::unique_ptr<Inbound> map(RingRequest& request);
  void accept_ring(RingRequest& request);
  std::expected<shm::SharedMemory, int> make_ring(const Flow& flow);
  int ask(ShmChannel& channel, const Flow& flow, uint32_t slot);
  int open_to_self(ShmChannel& channel, const Flow& flow);
  std::expected<shm::PeerBell, int> own_bell() const;
  void close(ShmChannel& channel);
  void refuse(ShmChannel& channel, int error);
  static bool has_room_again(ShmChannel& channel);
  bool receive_from(Inbound& inbound, DatagramHandler& handler, uint32_t bytes, uint32_t* packets);
  void remove_dead_rings();
  ShmChannel* find_channel(int connection) const;

  // share::RingHandler
  bool on_ring(const LocalAddress& local, int connection, share::Message& message) override;
  bool on_answer(int connection, share::Message& message) override;
  void on_end(int connection) override;

  AddressShare& share_;
  shm::Bell bell_;
  OrderedClock* clock_ = nullptr;
  std::function<void(int error)> on_obstacle_;
  ShmCounters counters_;
  std::unordered_map<Key, std::unique_ptr<ShmChannel>, Hash> channels_;
  std::size_t prune_at_ = kManyChannels;
  // Time for channels that are `sockets`, read since the last flush() (0: not read), and its uses.
  uint64_t cached_now_ = 0;
  uint32_t cached_now_uses_ = 0;
  uint32_t rings_ = 0;  // rings of this process to others
  std::vector<ShmChannel*> waiting_channels_;
  bool changed_ = false;  // a channel was decided since room_returned()
  std::vector<ShmChannel*> unflushed_;
  std::vector<ShmChannel*> unread_;
  std::deque<std::unique_ptr<RingRequest>> ring_requests_;
  std::vector<std::unique_ptr<Inbound>> inbound_;
  std::size_t next_inbound_ = 0;
  bool ended_ = false;  // the writer of some inbound ring is gone
  // Flow and slot of the last packet, since most go the same way.
  const Flow* last_flow_ = nullptr;
  uint32_t last_slot_ = 0;
  ShmChannel* last_channel_ = nullptr;
};

}  // namespace uroce::net
