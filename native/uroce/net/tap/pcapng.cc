#include "uroce/net/tap/pcapng.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "uroce/ext/uroce.h"
#include "uroce/net/host/clock.h"

namespace uroce::net {
namespace {

constexpr std::size_t kFileBuffer = 256 * 1024;
constexpr uint64_t kOld = 200'000'000;  // ns
constexpr uint32_t kSectionHeader = 0x0a0d0d0a, kInterface = 1, kEnhancedPacket = 6;
constexpr uint16_t kLinkTypeRaw = 101;
constexpr uint16_t kOptionTimeResolution = 9, kOptionFlags = 2;

std::string expand(const std::string& path) {
  std::string out = path;
  if (const std::size_t at = out.find("%p"); at != std::string::npos)
    out.replace(at, 2, std::to_string(getpid()));
  return out;
}

}  // namespace

std::expected<std::unique_ptr<PcapngWriter>, int> PcapngWriter::open(const std::string& path) {
  UniqueFd fd(::open(expand(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd) return std::unexpected(errno);
  return std::unique_ptr<PcapngWriter>(new PcapngWriter(std::move(fd)));
}

PcapngWriter::PcapngWriter(UniqueFd fd) : fd_(std::move(fd)) {
  buffer_.reserve(kFileBuffer);
  to_realtime_ = clock_ns(CLOCK_REALTIME) - now_ns();
  write_file_header();
}

PcapngWriter::~PcapngWriter() { flush(); }

void PcapngWriter::put(const void* data, std::size_t length) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  buffer_.insert(buffer_.end(), bytes, bytes + length);
}

void PcapngWriter::write_file_header() {
  put32(kSectionHeader);
  put32(28);
  put32(0x1a2b3c4d);
  const uint16_t version[2] = {1, 0};
  put(version, sizeof version);
  const uint64_t unknown_length = UINT64_MAX;
  put(&unknown_length, sizeof unknown_length);
  put32(28);

  put32(kInterface);
  put32(32);
  const uint16_t link[2] = {kLinkTypeRaw, 0};
  put(link, sizeof link);
  put32(0);  // no snap length
  const uint16_t resolution[2] = {kOptionTimeResolution, 1};
  put(resolution, sizeof resolution);
  put32(9);  // 10^-9 s
  put32(0);  // end of options
  put32(32);
}

void PcapngWriter::on_packet(const CapturedPacket& p) {
  if ((p.flags & UROCE_PKT_FAULT_DROP) != 0) return;
  const uint32_t padded = (p.length() + 3) & ~3u;
  const uint32_t block = 28 + padded + 12 + 4;
  const uint64_t time = p.time_ns + to_realtime_;
  put32(kEnhancedPacket);
  put32(block);
  put32(0);  // interface
  put32(static_cast<uint32_t>(time >> 32));
  put32(static_cast<uint32_t>(time));
  put32(p.length());
  put32(p.length());
  put(p.header, p.header_length);
  put(p.payload, p.payload_length);
  const uint8_t zeros[4]{};
  put(zeros, padded - p.length());
  const uint16_t option[2] = {kOptionFlags, 4};
  put(option, sizeof option);
  put32(p.direction == UROCE_DIR_RX ? 1 : 2);  // inbound, outbound
  put32(0);                                    // end of options
  put32(block);
  if (oldest_ == 0) oldest_ = p.time_ns;
  if (buffer_.size() >= kFileBuffer || p.time_ns - oldest_ > kOld) flush();
}

void PcapngWriter::flush_if_old(uint64_t now) {
  if (oldest_ != 0 && now - oldest_ > kOld) flush();
}

int PcapngWriter::flush() {
  std::size_t done = 0;
  while (done < buffer_.size() && error_ == 0) {
    const ssize_t n = write(fd_.get(), buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno != EINTR) error_ = errno;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  buffer_.clear();
  oldest_ = 0;
  return error_;
}

}  // namespace uroce::net
