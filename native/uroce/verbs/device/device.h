// The device of this process: one engine, its port, its slot among the processes on the address, its
// thread. Contexts (ibv_open_device) share it; it exists from the first open to the last close.
//
// Lock order: a channel's or context's own lock may be taken inside the engine lock, never the other way
// round.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "uroce/diagnostics.h"
#include "uroce/error.h"
#include "uroce/ext/uroce.h"
#include "uroce/feed/feed.h"
#include "uroce/feed/tap.h"
#include "uroce/net/host/address.h"
#include "uroce/net/host/clock.h"
#include "uroce/net/host/link_watch.h"
#include "uroce/net/host/time_scale.h"
#include "uroce/net/port/host_link.h"
#include "uroce/net/port/receiver_room.h"
#include "uroce/net/port/roce_port.h"
#include "uroce/net/share/share.h"
#include "uroce/net/shm/shm_link.h"
#include "uroce/net/tap/fault_port.h"
#include "uroce/net/tap/pcapng.h"
#include "uroce/net/tap/tap_link.h"
#include "uroce/net/tap/tap_ring.h"
#include "uroce/net/udp/multicast.h"
#include "uroce/net/udp/udp_link.h"
#include "uroce/transport/engine.h"
#include "uroce/verbs/device/cpu_meter.h"
#include "uroce/verbs/device/engine_lock.h"
#include "uroce/verbs/device/engine_thread.h"
#include "uroce/verbs/device/flood_policy.h"
#include "uroce/verbs/device/kernel_random.h"
#include "uroce/verbs/device/management.h"
#include "uroce/verbs/device/pin_table.h"
#include "uroce/verbs/device/stamp_ring.h"

namespace uroce::verbs {

struct ContextObject;

class Device final : private transport::EventSink, private net::PacketHandler, private net::DepartureHandler {
 public:
  // The device of the process, opened on the first call; each call is undone by one release().
  static std::expected<Device*, Error> acquire();
  static void release();
  // The open device, or nullptr. For the extension API and for process exit.
  static Device* current();
  // While one exists, a device that is released is not freed. For a thread that ends the process, perhaps in
  // a signal handler.
  class Use {
   public:
    Use() { users_.fetch_add(1); }
    ~Use() { users_.fetch_sub(1); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
  };

  transport::Engine& engine() { return *engine_; }
  EngineLock& lock() { return lock_; }
  const net::AddressPlan& plan() const { return plan_; }
  PinTable& pins() { return pins_; }
  uint32_t slot() const { return share_->slot(); }

  // ---- Progress. Engine lock held.

  // Receives packets, runs timers, sends all that may go out. True if there was anything to do.
  bool progress(bool engine_thread);
  // The time, never before the last value returned. Threads' clocks differ by a little, so every time that
  // is compared with times of the engine comes from here. Engine lock.
  uint64_t now() { return clock_.now(); }
  net::OrderedClock& clock() { return clock_; }
  // Sends all packets that may go out, without reading the sockets. `now` may be slightly old.
  void push(uint64_t now, uint32_t flags);
  // Sends the ACKs that wait to be piggybacked: the program posts nothing for now.
  void send_acks();
  // The engine or its timers were changed by other means: the next progress() has to do its work.
  void touched() { touched_ = true; }
  // Time at which progress() is due without any packet arriving; kNever: not at all.
  uint64_t next_wake();
  bool port_blocked() const { return port_->blocked(); }

  // Start of the last progress(). Engine lock.
  uint64_t progress_began() const { return progress_began_; }
  // Bytes that came in so far. Engine lock.
  uint64_t bytes_in() const { return udp_link_->counters().bytes_in; }

  // True if the process was bound to a single CPU when it opened the device (taskset, cpusets): polling
  // would only keep the core from the threads that have something to send.
  bool has_one_core() const { return one_core_; }

  // ---- Progress of application threads (see engine_thread.h).

  // Time of the last progress by an application thread.
  uint64_t last_app_progress() const { return last_app_progress_.load(std::memory_order_relaxed); }
  // Packets that came in so far.
  uint64_t packets_seen() const { return packets_seen_.load(std::memory_order_relaxed); }
  // After a post of `bytes` in `requests` work requests on a queue pair that was idle or had others in
  // flight: sends at once, or leaves them to be merged with the next ones while an application polls.
  // Engine lock.
  void posted(uint64_t now, bool idle, uint32_t requests, uint64_t bytes);
  // Posts on a queue pair without acknowledgments (UC, UD). Such a queue pair is always idle, so posts in
  // close succession are the sign that there will be more to merge.
  void posted_unreliable(uint64_t now, uint32_t requests, uint64_t bytes);
  // True if posts that wait to be merged have not been sent yet.
  bool posts_deferred() const { return deferred_since_.load(std::memory_order_relaxed) != 0; }
  // True if these posts have waited long enough.
  bool posts_waited_long() const {
    const uint64_t since = deferred_since_.load(std::memory_order_relaxed);
    return since != 0 && net::now_ns() > since + net::scaled(kMergeTime);
  }

  // The connection manager, and the time when it next has something to do (engine lock).
  Management& management() { return *management_; }
  void set_management_wake(uint64_t when) { management_wake_ = when; }
  const net::UdpFeatures& features() const { return features_; }
  RandomSource& random() { return random_; }

  const std::vector<int>& sockets() const { return socket_fds_; }
  // ---- A thread that wants to sleep on the sockets. Without rings all of this costs nothing.

  // Readable when a process that has written to a ring of this process wants to wake it; -1 without rings.
  int bell() const { return rings_ ? rings_->bell() : -1; }
  // Engine lock. False: there is work now. Each true is followed by one end_sleep().
  bool sleep();
  void end_sleep() {
    if (rings_) rings_->end_sleep();
  }
  // Poll-mode sleep of the engine thread: poll_sleep_fd() is readable when a peer has waited for too long; -1
  // without rings.
  int poll_sleep_fd() const { return rings_ ? rings_->poll_sleep_fd() : -1; }
  void begin_poll_sleep() {
    if (rings_) rings_->begin_poll_sleep();
  }
  void end_poll_sleep() {
    if (rings_) rings_->end_poll_sleep();
  }
  // True while packets are held back until another process makes room, or answers.
  bool port_waiting() const { return port_->waiting(); }
  // Readable when a multicast packet waits; -1 before the first QP is attached to a group.
  int multicast_fd() const { return multicast_fd_.load(); }
  net::AddressShare& share() { return *share_; }
  EngineThread& thread() { return *thread_; }
  CpuMeter& cpu() { return cpu_; }

  // ---- Addresses.

  // The flow to these addresses; nullptr for an empty GID index or an address family that does not fit.
  // Engine lock.
  struct FlowKey {
    Gid destination;
    uint8_t sgid_index = 0;
    uint8_t traffic_class = 0;
    uint8_t hop_limit =
        0;  // 0 and 1 (programs set it without meaning it): the host's default, as in the kernel
    uint32_t flow_label = 0;
    bool sockets_only = false;
    bool operator==(const FlowKey&) const = default;
  };
  enum class FlowHolder : uint8_t { queue_pair, address_handle };
  const net::Flow* flow(const FlowKey& wanted, FlowHolder holder);
  // Releases the flow of a destroyed address handle; needs no lock. The flow is forgotten when there are
  // many such, and no packet still needs it.
  static void release_flow(const Path& path);
  std::size_t flows() const { return flows_.size(); }
  static constexpr std::size_t kManyFlows = 1024;

  // Flow of an answer to any sender, kept apart so that unknown senders cannot make the table grow. Valid
  // until kPassingFlows more have been requested. Engine lock.
  const net::Flow* passing_flow(uint8_t sgid_index, const Gid& destination, uint8_t traffic_class);

  // Updates the known senders: a queue pair may take packets from a new address. Engine lock.
  void peers_changed();

  // Makes receives report the fields of the GRH: there is a UD queue pair. Engine lock.
  void show_headers() { udp_link_->show_headers(); }

  // False for an empty entry of the GID table, and for an address that has gone from its interface.
  bool has_gid(std::size_t gid_index) const {
    const std::size_t index = plan_.entry(gid_index);
    return index < plan_.gids.size() && !net::is_zero(plan_.gids[index].gid) &&
           (index >= 64 || (gids_present_.load(std::memory_order_relaxed) >> index & 1) != 0);
  }
  int link_fd() const { return link_watch_.fd(); }
  // Reads the state of the interfaces, and reports changes of the port to every context. Takes the engine
  // lock.
  void links_changed();
  // Contexts that receive asynchronous events of the port.
  void add_context(ContextObject* context);
  void remove_context(ContextObject* context);
  // Joins the group for the first QP that is attached to it, and leaves it after the last. 0 or the errors
  // of Engine::attach_mcast and MulticastSockets::join. Engine lock.
  int attach_mcast(transport::Qp& qp, const Gid& group);
  int detach_mcast(transport::Qp& qp, const Gid& group);

  static constexpr uint32_t kMaxAddressHandles = 65536;
  // Counts a new address handle; false if that would exceed the limit.
  bool reserve_address_handle() {
    if (address_handles_.fetch_add(1, std::memory_order_relaxed) < kMaxAddressHandles) return true;
    return_address_handle();
    return false;
  }
  void return_address_handle() { address_handles_.fetch_sub(1, std::memory_order_relaxed); }

  // ---- Extensions. Engine lock.

  void set_tap(std::unique_ptr<net::TapRing> ring);
  net::TapRing* tap() { return tap_ring_.get(); }
  // The tap link while it has consumers, else null.
  net::TapLink* tap_link() { return tap_link_.get(); }
  bool tap_running() const { return tap_running_; }
  void stop_tap();
  int open_pcapng(const std::string& path);
  int close_pcapng();
  // Housekeeping of the engine thread; returns the time of the next call, kNever: none.
  uint64_t flush_old_capture(uint64_t now);
  void flush_pcapng();
  // The process ends. On the engine thread, without the engine lock; parts as in exit_notice.h.
  void exit_notice(uint32_t parts);
  // Makes an injector with these settings, null for none. Errors: those of uroce_set_faults. Any thread,
  // without the lock.
  std::expected<std::unique_ptr<net::FaultPort>, int> make_faults(const uroce_fault_rates* rates,
                                                                  const uroce_fault_rule* rules, uint32_t n,
                                                                  const uroce_shaping* shaping);
  void set_faults(std::unique_ptr<net::FaultPort> faults);
  net::FaultPort* faults() { return injecting_ ? fault_port_.get() : nullptr; }
  net::RocePort& roce_port() { return *roce_port_; }
  net::ShmLink* rings() { return rings_.get(); }
  bool rings_only() const { return rings_only_; }
  // With UROCE_LINK=shm: 0 if packets can go to that address through shared memory, and to the process with
  // that queue pair, if one is given; waits up to 0.2 s for that process. Otherwise prints a sentence to
  // stderr and returns EHOSTUNREACH. Always 0 with other links. Without the engine lock.
  int check_reach(const Path& path, std::optional<uint32_t> dest_qpn);
  // True if that address is one of this device.
  bool is_own(const Gid& address) const;
  // True if QPs of that number at that address belong to this process.
  bool is_own(const Path& to, uint32_t qpn) const;
  // True if the address is of this host, and no process of this user there has QPs of such numbers. Asks
  // the system: for explanations only.
  bool nobody_has(const Path& to, uint32_t qpn) const;
  int start_stamps(const uroce_stamps_attr& attr);
  int stop_stamps();
  std::shared_ptr<StampRing> stamps() { return stamps_; }
  // Records polled completions with these stamps. Takes the engine lock.
  void polled(const transport::WrStamps* stamps, uint32_t n);
  // Starts or stops showing packets and stamps to the feed of this process.
  void start_feed(feed::Feed& feed);
  void stop_feed();
  bool stamping() const { return kDiagnostics && stamping_.load(std::memory_order_relaxed); }
  std::vector<uroce_counter> counters();
  // Prints the counters that are not zero and the CPU time to stderr, once, if UROCE_STATS=1 asks for them.
  void print_statistics();

  ~Device();

 private:
  static constexpr uint64_t kMergeTime = 20'000;  // ns
  // More than the answers that can wait to be sent (Gsi::kMaxQueued) or be staged.
  static constexpr std::size_t kPassingFlows = 2 * transport::Gsi::kMaxQueued;

  struct FlowHash {
    std::size_t operator()(const FlowKey& key) const;
  };
  struct KnownFlow : net::Flow {
    std::atomic<uint32_t> handles{0};  // address handles
    bool pinned = false;               // used by a QP, which may send to it at any time
  };

  Device() : pins_(strict_memlock()) {}
  std::expected<void, Error> open();
  static bool strict_memlock();
  transport::EngineConfig engine_config(const transport::QpPolicy& policy) const;
  // Adds to the posts to merge; true if they are enough for a send.
  bool gather_posts(uint32_t requests, uint64_t bytes);
  void defer_posts(uint64_t now);
  void ring_late_readers(uint64_t now);
  void push_posts(uint64_t now);
  std::expected<void, Error> open_rings();  // device_reach.cc
  void warn_of_obstacle(int error);
  net::Link& link() { return host_link_ ? static_cast<net::Link&>(*host_link_) : *udp_link_; }
  void rewire_link();
  // Switches timestamps of packets on while stamps or a tap need them.
  void set_packet_times();
  // Flood check, after a receive with rejected packets, or while unknown senders are filtered.
  void check_flood(uint64_t now);
  void set_stamping();
  void push_held_back(uint64_t deadline);  // exit_notice.cc
  // Refuses a flow with EINVAL, or finds its key: nothing for an empty GID index or an address family that
  // does not fit.
  int refuse_flow(const FlowKey& wanted) const;
  std::optional<FlowKey> flow_key(const FlowKey& wanted) const;
  net::Flow make_flow(const FlowKey& key) const;
  void forget_flows();

  // PacketHandler
  bool wants(const transport::RxPacket& packet) override;
  void on_packet(const transport::RxPacket& packet) override;
  // DepartureHandler
  void on_departure(const transport::TxTimestamp& departure, uint64_t time) override;
  // EventSink; in abi_event.cc, abi_channel.cc and device.cc
  void qp_event(transport::Qp& qp, EventType type) override;
  void cq_error(transport::Cq& cq) override;
  void srq_event(transport::Srq& srq, EventType type) override;
  void completion_event(transport::Cq& cq) override;
  void unsignaled_stamps(const transport::WrStamps& stamps) override;
  void mad(const transport::RxMad& mad) override;
  // EventSink; in watch_engine.cc
  void work_failed(const transport::Qp& qp, const transport::FailedWork& work) override;
  void request_refused(const transport::Qp& qp, const transport::RefusedRequest& request) override;
  void duplicate_of_nothing(const transport::Qp& qp, uint32_t psn) override;
  void acknowledged_unexecuted(const transport::Qp& qp, const transport::FailedWork& work) override;
  void message_lost(const transport::LostMessage& message) override;
  void datagram_unsent(const transport::Qp& qp, const transport::FailedWork& work) override;
  void waits_forever(const transport::Qp& qp, uint64_t ns) override;
  void rnr_nak(const transport::Qp& qp, bool sent) override;

  static inline std::atomic<uint32_t> users_{0};

  EngineLock lock_;
  net::AddressPlan plan_;
  net::UdpFeatures features_;
  PinTable pins_;
  KernelRandom random_;
  std::unique_ptr<net::AddressShare> share_;
  std::unique_ptr<net::ReceiverRoom> receiver_room_;
  std::unique_ptr<net::MulticastSockets> multicast_;
  std::atomic<int> multicast_fd_{-1};
  std::unique_ptr<net::UdpLink> udp_link_;
  bool rings_only_ = false;  // UROCE_LINK=shm
  bool obstacle_reported_ = false;
  std::unique_ptr<net::ShmLink> rings_;       // none: all packets go through the sockets
  std::unique_ptr<net::HostLink> host_link_;  // the sockets and the rings together
  std::unique_ptr<net::TapLink> tap_link_;
  std::unique_ptr<net::RocePort> roce_port_;
  std::unique_ptr<net::FaultPort> fault_port_;
  bool injecting_ =
      false;  // else it is there only until the packets that the last faults held back have left
  net::Port* port_ = nullptr;
  std::unique_ptr<transport::Engine> engine_;
  std::unique_ptr<Management> management_;
  uint64_t management_wake_ = kNever;
  std::unique_ptr<EngineThread> thread_;
  std::vector<int> socket_fds_;
  std::unordered_map<FlowKey, std::unique_ptr<KnownFlow>, FlowHash> flows_;
  std::size_t forget_at_ = kManyFlows;   // number of flows at which old ones are forgotten
  std::deque<net::Flow> passing_flows_;  // the oldest is reused once there are kPassingFlows
  std::size_t next_passing_ = 0;
  std::atomic<uint32_t> address_handles_{0};
  net::LinkWatch link_watch_;
  bool link_up_ = false;                            // as last reported
  std::atomic<uint64_t> gids_present_{UINT64_MAX};  // bit i: GID i; as last reported
  std::unordered_set<ContextObject*> contexts_;

  CpuMeter cpu_;
  std::atomic<uint64_t> deferred_since_{0};  // time since which posts wait to be merged; 0: none
  uint64_t deferred_bytes_ = 0;              // their bytes, headers included
  uint32_t deferred_requests_ = 0;
  uint64_t last_unreliable_ = 0;         // time of the last post of such a request
  uint32_t posts_since_progress_ = 0;    // requests posted since the last progress of an application
  uint32_t posts_between_progress_ = 0;  // their count for the last interval that had any
  bool leaving_ = false;                 // the process ends: nothing is deferred
  bool statistics_printed_ = false;
  bool touched_ = true;   // there may be packets to send or an earlier timer since wake_ was set
  uint64_t wake_ = 0;     // next_wake() after the last push()
  uint64_t late_at_ = 0;  // time when an application that polls and finds nothing has waited too long
  bool one_core_ = false;
  net::OrderedClock clock_;
  uint64_t progress_began_ = 0;
  uint64_t rx_now_ = 0;  // time of the current receive
  std::atomic<uint64_t> packets_seen_{0};
  uint32_t rx_packets_ = 0;   // packets of this receive that were accepted
  bool rx_rejected_ = false;  // it also brought rejected packets
  FloodPolicy flood_;
  transport::Validated validated_;  // validation of the current packet's headers
  std::atomic<uint64_t> last_app_progress_{0};

  std::unique_ptr<net::TapRing> tap_ring_;
  bool tap_running_ = false;
  std::unique_ptr<net::PcapngWriter> pcapng_;
  std::shared_ptr<StampRing> stamps_;
  std::atomic<bool> stamps_running_{false};  // uroce_stamps_start
  std::atomic<bool> stamping_{false};        // uroce_stamps_start, or the feed
  std::unique_ptr<feed::Tap> feed_tap_;
};

}  // namespace uroce::verbs
