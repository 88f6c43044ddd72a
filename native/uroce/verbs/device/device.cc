#include "uroce/verbs/device/device.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "uroce/clock.h"
#include "uroce/net/host/clock.h"
#include "uroce/net/host/time_scale.h"
#include "uroce/net/share/forked.h"
#include "uroce/net/shm/memory.h"
#include "uroce/net/udp/steering.h"
#include "uroce/refusal.h"
#include "uroce/report/last_words.h"
#include "uroce/verbs/device/exit_notice.h"
#include "uroce/verbs/device/fault_catcher.h"
#include "uroce/verbs/device/policies.h"
#include "uroce/verbs/watch/watch_feed.h"
#include "uroce/wire/crc32.h"

namespace uroce::verbs {
namespace {

// Datagrams received before the ACKs and responses are sent. Two of 64 KiB are half a window: with more,
// the sender would wait for an ACK.
constexpr uint32_t kRxBudget = 2;
constexpr uint64_t kPollingGap = 200'000;  // ns: an application that polled this recently will poll again
constexpr uint64_t kLate =
    50'000;  // ns: a process that polls answers sooner, even one that has just lost its core
constexpr uint64_t kLateWake = 50'000;       // ns: a thread that waits for a time wakes about this late
constexpr uint64_t kMergeBytes = 60 * 1024;  // about one send
constexpr uint32_t kBurst = 4;               // posts between two polls that make a program post in bursts
constexpr uint64_t kStreamGap = 2'000;       // ns: posts of unacknowledged requests this close make a stream
constexpr uint64_t kPerRequest = 32;         // bytes of headers

// The device of the process and the number of its opens. The process id identifies a child of vfork(),
// which has its parent's memory.
std::mutex g_mutex;
std::atomic<Device*> g_device{nullptr};
constexpr uint32_t kUsersTimeoutMs = 5000;  // for the threads that end the process meanwhile
uint32_t g_opens = 0;
pid_t g_pid = 0;
bool g_crc_chosen = false;

// The device belongs to the parent: its thread does not exist here and its memory may be in any state, so
// it is not touched. A thread that was opening the device may have held the lock.
void after_fork() {
  if (g_pid == 0) return;
  net::close_inherited_sockets();
  new (&g_mutex) std::mutex;
  g_device = nullptr;
  g_opens = 0;
}

__attribute__((constructor)) void begin() { pthread_atfork(nullptr, nullptr, after_fork); }

}  // namespace

std::expected<Device*, Error> Device::acquire() {
  std::lock_guard guard(g_mutex);
  // Once per process, before the first packet: chooses the checksum that this machine runs faster.
  g_pid = getpid();
  if (!g_crc_chosen) wire::crc_choose(&monotonic_ns);
  g_crc_chosen = true;
  if (g_device == nullptr) {
    try {
      std::unique_ptr<Device> device(new Device);
      if (auto opened = device->open(); !opened) return std::unexpected(std::move(opened.error()));
      g_device = device.release();
    } catch (const std::bad_alloc&) {
      return std::unexpected(Error{ENOMEM, "there is not enough memory for the device."});
    }
    exit_notice::watch_signals();
    report::last_words::prepare([] { exit_notice::send(exit_notice::kAcks); });
    fault_catcher::install();
  }
  ++g_opens;
  return g_device.load();
}

void Device::release() {
  std::lock_guard guard(g_mutex);
  if (g_device == nullptr || g_pid != getpid() || --g_opens > 0) return;
  const std::unique_ptr<Device> gone(g_device.exchange(nullptr));
  for (uint32_t waited = 0; users_.load() != 0 && waited < kUsersTimeoutMs; ++waited) usleep(1000);
}

Device* Device::current() { return g_pid == getpid() ? g_device.load() : nullptr; }

bool Device::strict_memlock() {
  const char* value = std::getenv("UROCE_STRICT_MEMLOCK");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

std::expected<void, Error> Device::open() {
  auto plan = net::plan_addresses(std::getenv("UROCE_ADDR"), std::getenv("UROCE_NETDEV"));
  if (!plan) return std::unexpected(std::move(plan.error()));
  plan_ = std::move(*plan);
  if (const auto links = net::query_links(plan_)) {
    link_up_ = links->up;
    gids_present_ = links->present;
  }
  net::measure_time_scale();
  features_ = net::probe_udp_features();
  cpu_set_t cpus;
  one_core_ = sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) == 1;
  auto share = net::AddressShare::join(plan_, features_);
  if (!share) return std::unexpected(std::move(share.error()));
  share_ = std::move(*share);

  std::vector<net::UdpLink::Socket> sockets;
  for (std::size_t i = 0; i < plan_.gids.size(); ++i) {
    if (share_->socket(i) < 0) continue;
    sockets.push_back({share_->socket(i), plan_.gids[i].gid});
    socket_fds_.push_back(share_->socket(i));
  }
  udp_link_ = std::make_unique<net::UdpLink>(std::move(sockets), features_);
  if (auto opened = open_rings(); !opened) return opened;
  roce_port_ = std::make_unique<net::RocePort>(link(), features_);
  roce_port_->set_rings(rings_.get(), rings_only_);
  port_ = roce_port_.get();
  auto policy = policy_from_environment();
  if (!policy) return std::unexpected(std::move(policy.error()));
  engine_ = std::make_unique<transport::Engine>(engine_config(*policy), random_,
                                                static_cast<transport::EventSink&>(*this));
  receiver_room_ = std::make_unique<net::ReceiverRoom>(
      [this](const Gid& address, uint32_t slot) { return share_->peer_socket(address, slot); },
      engine_->config().engine_window_bytes / 2);
  roce_port_->set_receiver_room(receiver_room_.get());
  multicast_ = std::make_unique<net::MulticastSockets>(plan_, features_);
  if (const char* path = std::getenv("UROCE_PCAP"); path != nullptr && *path != '\0') {
    if (const int error = open_pcapng(path); error != 0) {
      return std::unexpected(
          Error{error, std::string("UROCE_PCAP: cannot write ") + path + ": " + std::strerror(error) + "."});
    }
  }
  management_ = make_management(*this);
  thread_ = std::make_unique<EngineThread>(*this);
  if (const int error = thread_->start(); error != 0) {
    const auto [code, cause, cure] = net::shm::explain(error);
    return std::unexpected(Error{error, "cannot start the engine thread: " + cause + ". " + cure + "."});
  }
  watch::follow(*this);
  return {};
}

Device::~Device() {
  print_statistics();
  if (feed_tap_) watch::unfollow(*this);
  if (thread_) thread_->stop();
  if (engine_) {
    std::lock_guard guard(lock_);
    // Deferred ACKs: the peer waits for them.
    push(now(), 0);
  }
}

transport::EngineConfig Device::engine_config(const transport::QpPolicy& policy) const {
  transport::EngineConfig config;
  config.policy = policy;
  config.pace_slack_ns = kLateWake;
  config.qpn_base = share_->slot() << (24 - net::kSlotBits);
  config.max_mtu = plan_.path_mtu;
  // All data in flight to this device must fit in one receive buffer, shared by all QPs; peers on this host
  // have the same. The kernel charges slack with each packet: little for a UDP_SEGMENT send, as much again
  // for a single 4 KiB datagram.
  const uint32_t granted = net::granted_receive_buffer(socket_fds_.front());
  const uint32_t usable = features_.gso && features_.gro ? granted / 2 : granted / 4;
  config.engine_window_bytes = std::clamp<uint64_t>(usable, 16 * 4096, 2u << 20);
  config.window_bytes = static_cast<uint32_t>(std::min<uint64_t>(config.engine_window_bytes, 512u << 10));
  // A small packet that is sent alone is charged about 1 KiB.
  config.window_packets = std::clamp<uint32_t>(usable / 1024, 64, 512);
  config.read_request_bytes = 64u << 10;
  return config;
}

// ---- Progress

bool Device::wants(const transport::RxPacket& packet) {
  validated_ = engine_->validate(packet);
  rx_rejected_ |= !validated_.wanted();
  return validated_.wanted();
}

void Device::on_packet(const transport::RxPacket& packet) {
  ++rx_packets_;
  if (packet.time != 0) rx_now_ = packet.time;
  engine_->process(rx_now_, packet, validated_);
}

void Device::on_departure(const transport::TxTimestamp& departure, uint64_t time) {
  engine_->note_tx_timestamp(departure, time);
}

bool Device::progress(bool engine_thread) try {
  const uint64_t begin = now();
  if (!engine_thread) {
    last_app_progress_.store(begin, std::memory_order_relaxed);
    if (posts_since_progress_ != 0) {
      posts_between_progress_ = posts_since_progress_;
      posts_since_progress_ = 0;
    }
  } else if (deferred_requests_ != 0) {
    posts_between_progress_ = 0;  // the program did not poll after its burst
  }
  const bool timed = cpu_.begin();
  udp_link_->set_timed(timed);
  const uint64_t kernel_before = udp_link_->counters().kernel_ns;
  const uint64_t sent_before = roce_port_->batches_sent();
  progress_began_ = rx_now_ = begin;
  rx_packets_ = 0;
  const uint64_t foreign_before = roce_port_->foreign_ports();
  const uint32_t datagrams = port_->receive(*this, kRxBudget);
  if (rx_rejected_ || roce_port_->foreign_ports() != foreign_before || udp_link_->filtering()) [[unlikely]] {
    rx_rejected_ = false;
    check_flood(begin);
  }
  if (datagrams == 0 && !touched_ && begin < wake_) {
    if (begin >= late_at_ && !engine_thread) ring_late_readers(begin);
    cpu_.add_empty();
    return false;
  }
  const uint64_t now = rx_now_;
  bool timers = false;
  if (next_wake() <= now) {
    engine_->on_time(now);
    port_->on_time(now);
    if (management_wake_ <= now) management_->on_time(now);
    timers = true;
  }
  {
    // If more packets are waiting, let the ACKs cover them too. Otherwise defer only ACKs that may
    // piggyback on an answer, and only if a thread polls soon.
    uint32_t flags = transport::kDeferAcks;
    if (datagrams < kRxBudget)
      flags = engine_thread || thread_->alert(begin) ? transport::kDeferPiggybackAcks : 0;
    if (leaving_) flags = 0;
    push(now, flags);
  }
  const bool worked = datagrams > 0 || roce_port_->batches_sent() != sent_before;
  if (worked) late_at_ = begin + net::scaled(kLate);
  if (worked || timers) {
    packets_seen_.store(packets_seen_.load(std::memory_order_relaxed) + rx_packets_,
                        std::memory_order_relaxed);
    if (timed) {
      cpu_.add(begin, clock_.now(), udp_link_->counters().kernel_ns - kernel_before, engine_thread);
    } else {
      cpu_.skipped();
    }
    if (!engine_thread) thread_->check_by(begin, next_wake());
  } else {
    cpu_.add_empty();
  }
  return worked;
} catch (const std::bad_alloc&) {
  return false;  // its data is dropped, as by a NIC without a buffer
}

void Device::push(uint64_t now, uint32_t flags) {
  deferred_bytes_ = 0;
  deferred_requests_ = 0;
  deferred_since_.store(0, std::memory_order_relaxed);
  while (engine_->transmit(now, *port_, flags)) {
    if (port_->room() > 0) continue;
    port_->flush();
    if (port_->blocked()) break;
  }
  port_->flush();
  if (fault_port_ && !injecting_ && fault_port_->empty()) [[unlikely]]
    set_faults(nullptr);
  wake_ = next_wake();
  touched_ = port_->blocked() || port_->waiting();
}

void Device::send_acks() {
  if (engine_->acks_deferred()) push(now(), 0);
}

// An application that spins on memory to which its peer writes makes no progress, and its engine thread may
// be in a poll-mode sleep.
void Device::ring_late_readers(uint64_t now) {
  late_at_ = now + net::scaled(kLate);
  if (rings_) rings_->ring_late();
}

bool Device::sleep() {
  if (!rings_) return true;
  host_link_->poll_sockets_next();
  return rings_->sleep();
}

void Device::posted(uint64_t now, bool idle, uint32_t requests, uint64_t bytes) {
  const bool full = gather_posts(requests, bytes);
  // A thread that sleeps for events has made progress as well, but does not poll again by itself.
  const bool polled = !thread_->has_waiter() &&
                      now - last_app_progress_.load(std::memory_order_relaxed) < net::scaled(kPollingGap);
  // A post on an idle queue pair is sent at once, unless the program is known to post in bursts between its
  // polls.
  const bool gather = polled && !full && !posts_waited_long();
  if (gather && (!idle || posts_between_progress_ >= kBurst)) return defer_posts(now);
  push_posts(now);
}

void Device::posted_unreliable(uint64_t now, uint32_t requests, uint64_t bytes) {
  const bool full = gather_posts(requests, bytes);
  const bool stream = now - last_unreliable_ < net::scaled(kStreamGap);
  last_unreliable_ = now;
  if (stream && !full && !posts_waited_long()) return defer_posts(now);
  push_posts(now);
}

bool Device::gather_posts(uint32_t requests, uint64_t bytes) {
  deferred_requests_ += requests;
  deferred_bytes_ += bytes + uint64_t{requests} * kPerRequest;
  posts_since_progress_ += requests;
  return deferred_bytes_ >= kMergeBytes || deferred_requests_ >= features_.max_segments;
}

void Device::defer_posts(uint64_t now) {
  touched_ = true;
  if (deferred_since_.load(std::memory_order_relaxed) != 0) return;
  deferred_since_.store(now, std::memory_order_relaxed);
  thread_->check_by(now, now + net::scaled(kMergeTime));
}

void Device::push_posts(uint64_t now) {
  const bool timed = cpu_.begin();
  udp_link_->set_timed(timed);
  const uint64_t kernel_before = udp_link_->counters().kernel_ns;
  push(now, transport::kDeferPiggybackAcks);
  if (timed) {
    cpu_.add(now, this->now(), udp_link_->counters().kernel_ns - kernel_before, false);
  } else {
    cpu_.skipped();
  }
  thread_->check_by(now, next_wake());
}

uint64_t Device::next_wake() {
  return std::min({engine_->next_wake(), port_->next_wake(), management_wake_});
}

void Device::mad(const transport::RxMad& mad) { management_->on_mad(mad); }

}  // namespace uroce::verbs
