#include "capture/capture.h"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "capture/link.h"
#include "uroce/clock.h"

namespace vlcapture {
namespace {

// RoCEv2 goes to this port in both directions (IB annex A17); the source port is entropy.
constexpr char kFilter[] = "udp dst port 4791";
// Link header with two VLAN tags; the longest is that of DLT_LINUX_SLL2.
constexpr int kLinkHeader = 22;
constexpr int kLongest = 65'535;

int64_t now_ns(clockid_t clock) noexcept { return static_cast<int64_t>(uroce::clock_ns(clock)); }

class Socket {
 public:
  explicit Socket(int family, int type) : fd_(socket(family, type | SOCK_CLOEXEC, 0)) {}
  ~Socket() {
    if (fd_ >= 0) close(fd_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

// No RoCE packet is longer than the MTU of its interface. Datagrams that segmentation offload has not cut yet
// are: of those the start is kept, and their length tells what they are. The ring's frames are as large as
// this.
int mtu_of(const std::string& interface) {
  const Socket any(AF_INET, SOCK_DGRAM);
  ifreq request{};
  std::strncpy(request.ifr_name, interface.c_str(), IFNAMSIZ - 1);
  if (any.fd() < 0 || ioctl(any.fd(), SIOCGIFMTU, &request) != 0)
    throw Error{ENODEV, interface + ": " + std::strerror(errno)};
  return request.ifr_mtu;
}

[[noreturn]] void fail(pcap_t* handle, const std::string& interface, int status) {
  const std::string detail = pcap_geterr(handle);
  const std::string text =
      interface + ": " + pcap_statustostr(status) + (detail.empty() ? "" : ": " + detail);
  switch (status) {
    case PCAP_ERROR_PERM_DENIED:
    case PCAP_ERROR_PROMISC_PERM_DENIED:
      throw Error{EPERM, text};
    case PCAP_ERROR_NO_SUCH_DEVICE:
    case PCAP_ERROR_IFACE_NOT_UP:
      throw Error{ENODEV, text};
    default:
      throw Error{EIO, text};
  }
}

}  // namespace

void check_permission() {
  const Socket probe(AF_PACKET, SOCK_RAW);
  if (probe.fd() >= 0) return;
  const int error = errno;
  throw Error{error == EPERM || error == EACCES ? EPERM : EIO,
              std::string("socket(AF_PACKET): ") + std::strerror(error)};
}

Capture::Capture(const Options& options) {
  check_permission();
  const int whole = mtu_of(options.interface);
  const int wanted = options.snap > 0 ? std::min(options.snap, whole) : whole;
  snap_ = static_cast<size_t>(wanted);
  char error[PCAP_ERRBUF_SIZE] = "";
  handle_.reset(pcap_create(options.interface.c_str(), error));
  if (!handle_) throw Error{EIO, options.interface + ": " + error};
  pcap_t* handle = handle_.get();
  pcap_set_snaplen(handle, std::min(wanted + kLinkHeader, kLongest));
  pcap_set_promisc(handle, 0);
  pcap_set_buffer_size(handle, options.buffer);
  // Packets are there at once, one by one: a mark can tell that nothing older is missing.
  pcap_set_immediate_mode(handle, 1);
  pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO);
  if (const int status = pcap_activate(handle); status < 0) fail(handle, options.interface, status);
  link_ = pcap_datalink(handle);
  if (!known_link(link_)) {
    const char* name = pcap_datalink_val_to_name(link_);
    throw Error{EIO, options.interface + ": frames of link type " +
                         (name != nullptr ? name : std::to_string(link_)) + " are not understood"};
  }
  bpf_program program{};
  if (pcap_compile(handle, &program, kFilter, 1, PCAP_NETMASK_UNKNOWN) != 0)
    fail(handle, options.interface, PCAP_ERROR);
  const int set = pcap_setfilter(handle, &program);
  pcap_freecode(&program);
  if (set != 0) fail(handle, options.interface, PCAP_ERROR);
  if (pcap_setnonblock(handle, 1, error) != 0) throw Error{EIO, options.interface + ": " + error};
}

int Capture::fd() const { return pcap_get_selectable_fd(handle_.get()); }

void Capture::on_packet(unsigned char* self, const pcap_pkthdr* header, const unsigned char* bytes) noexcept {
  auto& capture = *reinterpret_cast<Capture*>(self);
  // With nanosecond precision tv_usec holds nanoseconds.
  const int64_t real = static_cast<int64_t>(header->ts.tv_sec) * 1'000'000'000 + header->ts.tv_usec;
  const std::span<const uint8_t> frame(bytes, header->caplen);
  capture.last_ns_ = static_cast<uint64_t>(real + capture.real_to_monotonic_ns_);
  const auto start = ip_offset(capture.link_, frame);
  if (!start || *start > frame.size()) return;
  const auto packet = frame.subspan(*start);
  const size_t original = ip_length(packet).value_or(header->len - *start);
  (*capture.sink_)(capture.last_ns_, packet.first(std::min({packet.size(), original, capture.snap_})),
                   original);
}

void Capture::drain(const Sink& sink) {
  const int64_t asked = now_ns(CLOCK_MONOTONIC);
  // libpcap stamps with CLOCK_REALTIME, which may be set meanwhile; the run's clock is the other.
  real_to_monotonic_ns_ = now_ns(CLOCK_MONOTONIC) - now_ns(CLOCK_REALTIME);
  sink_ = &sink;
  for (;;) {
    const int count = pcap_dispatch(handle_.get(), 256, on_packet, reinterpret_cast<unsigned char*>(this));
    if (count < 0) throw Error{EIO, pcap_geterr(handle_.get())};
    if (count == 0 || last_ns_ > static_cast<uint64_t>(asked)) return;
  }
}

Counts Capture::counts() const {
  pcap_stat stat{};
  if (pcap_stats(handle_.get(), &stat) != 0) throw Error{EIO, pcap_geterr(handle_.get())};
  return {stat.ps_recv, static_cast<uint64_t>(stat.ps_drop) + stat.ps_ifdrop};
}

}  // namespace vlcapture
