// Extension API of the device: tap, capture file, faults, stamps, counters.
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "uroce/net/host/clock.h"
#include "uroce/verbs/device/device.h"

namespace uroce::verbs {
namespace {

constexpr uint64_t kCaptureFlushInterval = 100'000'000;  // ns, while a capture file is open

}  // namespace

// Puts the tap into the path, or takes it out when it has no listener.
void Device::rewire_link() {
  if (tap_link_ && !tap_link_->empty()) {
    udp_link_->remove_filter();
    roce_port_->set_link(*tap_link_);
  } else {
    roce_port_->set_link(link());
    tap_link_.reset();
  }
  set_packet_times();
}

void Device::set_packet_times() {
  net::OrderedClock* clock = engine_->stamping() || tap_link_ ? &clock_ : nullptr;
  udp_link_->stamp(clock);
  if (rings_) rings_->stamp(clock);
  roce_port_->stamp(clock, this);
}

void Device::set_tap(std::unique_ptr<net::TapRing> ring) {
  stop_tap();
  tap_ring_ = std::move(ring);
  tap_running_ = true;
  if (!tap_link_) tap_link_ = std::make_unique<net::TapLink>(link());
  tap_link_->add(tap_ring_.get());
  rewire_link();
}

void Device::stop_tap() {
  if (!tap_running_) return;
  tap_running_ = false;
  tap_link_->remove(tap_ring_.get());
  rewire_link();
}

int Device::open_pcapng(const std::string& path) {
  if (pcapng_) return EBUSY;
  auto writer = net::PcapngWriter::open(path);
  if (!writer) return writer.error();
  pcapng_ = std::move(*writer);
  if (!tap_link_) tap_link_ = std::make_unique<net::TapLink>(link());
  tap_link_->add(pcapng_.get());
  rewire_link();
  return 0;
}

int Device::close_pcapng() {
  if (!pcapng_) return ENOENT;
  tap_link_->remove(pcapng_.get());
  rewire_link();
  const int error = pcapng_->flush();
  pcapng_.reset();
  return error;
}

uint64_t Device::flush_old_capture(uint64_t now) {
  if (!pcapng_) return kNever;
  pcapng_->flush_if_old(now);
  return now + kCaptureFlushInterval;
}

void Device::flush_pcapng() {
  if (pcapng_) pcapng_->flush();
}

std::expected<std::unique_ptr<net::FaultPort>, int> Device::make_faults(const uroce_fault_rates* rates,
                                                                        const uroce_fault_rule* rules,
                                                                        uint32_t n,
                                                                        const uroce_shaping* shaping) {
  if (const int error = net::FaultPort::validate(rates, rules, n, shaping); error != 0)
    return std::unexpected(error);
  if (n == 0 && rates == nullptr && shaping == nullptr) return nullptr;
  uint64_t seed = rates != nullptr ? rates->seed : 0;
  while (seed == 0) {
    if (getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) return std::unexpected(EAGAIN);
  }
  return std::make_unique<net::FaultPort>(*roce_port_, rates, rules, n, seed, shaping);
}

void Device::set_faults(std::unique_ptr<net::FaultPort> faults) {
  touched();
  injecting_ = faults != nullptr;
  if (fault_port_ && !fault_port_->release_all()) {
    // Packets that find no room yet go first.
    if (!faults) faults = std::make_unique<net::FaultPort>(*roce_port_, nullptr, nullptr, 0, 1);
    faults->adopt_held(*fault_port_);
  }
  fault_port_ = std::move(faults);
  port_ = fault_port_ ? static_cast<net::Port*>(fault_port_.get()) : roce_port_.get();
}

int Device::start_stamps(const uroce_stamps_attr& attr) {
  if (stamps_running_.load()) return EBUSY;
  stamps_ = std::make_shared<StampRing>(attr);
  stamps_running_.store(true);
  set_stamping();
  return 0;
}

int Device::stop_stamps() {
  if (!stamps_running_.load()) return ENOENT;
  stamps_running_.store(false);
  set_stamping();
  return 0;
}

void Device::set_stamping() {
  const bool on = stamps_running_.load() || feed_tap_ != nullptr;
  engine_->set_stamping(on);
  set_packet_times();
  stamping_.store(on);
}

void Device::start_feed(feed::Feed& feed) {
  feed_tap_ = std::make_unique<feed::Tap>(feed.packets, feed.epoch());
  if (!tap_link_) tap_link_ = std::make_unique<net::TapLink>(link());
  tap_link_->add(feed_tap_.get());
  rewire_link();
  set_stamping();
}

void Device::stop_feed() {
  tap_link_->remove(feed_tap_.get());
  rewire_link();
  feed_tap_.reset();
  set_stamping();
}

std::vector<uroce_counter> Device::counters() {
  std::vector<uroce_counter> out;
  const auto add = [&](const char* name, uint64_t value) {
    uroce_counter counter{};
    std::strncpy(counter.name, name, sizeof counter.name - 1);
    counter.value = value;
    out.push_back(counter);
  };
  for (const auto& [name, value] : transport::kCounters) add(name, engine_->counters().*value);
  const net::IcrcCounters& icrc = roce_port_->icrc_counters();
  add("icrc_errors", icrc.bad);
  add("short_pkts", icrc.too_short);
  add("foreign_port_datagrams", roce_port_->foreign_ports());
  add("icrc_other_place", icrc.other_place);
  add("icrc_foreign_sender", icrc.foreign);
  add("icrc_16bit_only", icrc.foreign_jumps);
  const net::LinkCounters& link = udp_link_->counters();
  add("udp_sends", link.sends);
  add("udp_receives", link.receives);
  add("udp_datagrams_in", link.datagrams_in);
  add("udp_bytes_out", link.bytes_out);
  add("udp_bytes_in", link.bytes_in);
  add("udp_send_busy", link.busy);
  add("udp_send_lost_pkts", link.lost);
  add("udp_receive_overruns", udp_link_->overruns());
  add("udp_shut_out_datagrams", udp_link_->filtered_datagrams());
  add("peer_connections_refused", share_->refused_connections());
  if (rings_) {
    const net::ShmCounters& shm = rings_->counters();
    add("shm_unreachable_pkts", roce_port_->unreachable());
    add("shm_dropped_pkts", roce_port_->ring_drops());
    add("shm_packets_out", shm.packets_out);
    add("shm_bytes_out", shm.bytes_out);
    add("shm_packets_in", shm.packets_in);
    add("shm_bytes_in", shm.bytes_in);
    add("shm_ring_full", shm.full);
    add("shm_ring_broken", shm.broken);
    add("shm_ring_refused", shm.refused);
  }
  management_->counters(add);
  return out;
}

void Device::print_statistics() {
  const char* asked = std::getenv("UROCE_STATS");
  if (asked == nullptr || *asked != '1' || !thread_ || std::exchange(statistics_printed_, true)) return;
  const CpuMeter::Figures f = cpu_.figures();
  std::fprintf(stderr, "uroce: pid %d slot %u\n", getpid(), slot());
  for (const uroce_counter& counter : counters()) {
    if (counter.value != 0) {
      std::fprintf(stderr, "uroce: %-28s %llu\n", counter.name,
                   static_cast<unsigned long long>(counter.value));
    }
  }
  std::fprintf(stderr,
               "uroce: engine user %.3f ms, kernel %.3f ms, of both on application threads %.3f ms; "
               "engine thread %.3f ms; %llu productive calls, %llu empty polls\n",
               static_cast<double>(f.engine_user_ns) / 1e6, static_cast<double>(f.engine_kernel_ns) / 1e6,
               static_cast<double>(f.app_thread_ns) / 1e6, static_cast<double>(thread_->cpu_ns()) / 1e6,
               static_cast<unsigned long long>(f.progress_calls),
               static_cast<unsigned long long>(f.empty_polls));
}

}  // namespace uroce::verbs
