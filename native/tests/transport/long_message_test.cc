// Messages of the longest size that the device has: offsets, PSNs and requests count right to the end.
#include <sys/mman.h>
#include <unistd.h>

#include "pair.h"
#include "tests/under_sanitizers.h"

namespace uroce::transport::test {
namespace {

constexpr uint64_t kWindow = 4 << 20;  // real memory, over and over again
constexpr uint64_t kLongest = kUnderSanitizers ? 64u << 20 : 1u << 30;

// An address range of kLongest bytes and some, every kWindow of it the same memory.
class Repeated {
 public:
  Repeated() : fd_(memfd_create("repeated", MFD_CLOEXEC)) {
    EXPECT_EQ(ftruncate(fd_, kWindow), 0);
    base_ = static_cast<uint8_t*>(
        mmap(nullptr, kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    for (uint64_t at = 0; at < kSize; at += kWindow)
      mmap(base_ + at, kWindow, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd_, 0);
  }
  ~Repeated() {
    munmap(base_, kSize);
    close(fd_);
  }
  uint8_t* base() { return base_; }
  static constexpr uint64_t kSize = kLongest + kWindow;

 private:
  int fd_;
  uint8_t* base_ = nullptr;
};

// Hands every packet on at once.
class Wire final : public PacketSink {
 public:
  explicit Wire(Side& to) : to_(to) {}
  uint32_t room() override { return 64; }
  bool emit(const TxPacket& p) override {
    packet_.assign(p.header, p.header + p.header_len);
    for (uint32_t i = 0; i < p.iov_count; ++i)
      packet_.insert(packet_.end(), p.iov[i].base, p.iov[i].base + p.iov[i].len);
    packet_.resize(packet_.size() + p.pad);
    to_.engine.on_packet(
        to_.now, {packet_.data(), static_cast<uint32_t>(packet_.size()), &to_.peer->address, &to_.address});
    ++packets;
    return true;
  }
  uint64_t packets = 0;

 private:
  Side& to_;
  std::vector<uint8_t> packet_;
};

void move(QpType type, WrOpcode opcode, uint16_t mtu, uint64_t length) {
  Options o;
  o.type = type;
  o.mtu = mtu;
  o.sq_psn = 0xfffff0;
  Pair p(o);
  Repeated memory_a, memory_b;
  const uint64_t va = 1ull << 40;
  const uint32_t key_a = *p.a.engine.reg_mr(p.a.pd, memory_a.base(), va, Repeated::kSize, o.access);
  const uint32_t key_b = *p.b.engine.reg_mr(p.b.pd, memory_b.base(), va, Repeated::kSize, o.access);
  Repeated& source = opcode == WrOpcode::rdma_read ? memory_b : memory_a;
  for (uint64_t i = 0; i < kWindow; i += 4096)
    std::memset(source.base() + i, static_cast<int>(i >> 12 | 1), 4096);
  const Sge s{va, static_cast<uint32_t>(length), key_a};
  SendWr w = p.a.wr(opcode, &s, 1, 0, key_b);
  w.remote_addr = va;
  if (opcode == WrOpcode::send) {
    const Sge r{va, static_cast<uint32_t>(length), key_b};
    ASSERT_EQ(p.b.engine.post_recv(*p.b.qp, {9, &r, 1}), 0);
  }
  ASSERT_EQ(p.a.post(w), 0);
  Wire to_b(p.b), to_a(p.a);
  for (uint64_t before = 1; before != to_a.packets + to_b.packets;) {
    before = to_a.packets + to_b.packets;
    p.a.engine.transmit(p.a.now, to_b);
    p.b.engine.transmit(p.b.now, to_a);
  }
  const Completion wc = p.a.wc();
  EXPECT_EQ(wc.status, WcStatus::success);
  EXPECT_EQ(wc.byte_len, length);
  if (opcode == WrOpcode::send) {
    EXPECT_EQ(p.b.wc().byte_len, length);
  }
  const Counters& c = p.a.engine.counters();
  EXPECT_EQ(c.retransmitted_pkts + c.packet_seq_err + p.b.engine.counters().duplicate_request, 0u);
  EXPECT_EQ(std::memcmp(memory_a.base(), memory_b.base(), kWindow), 0);
}

TEST(LongMessage, Write) { move(QpType::rc, WrOpcode::rdma_write, 4096, kLongest); }
TEST(LongMessage, Read) { move(QpType::rc, WrOpcode::rdma_read, 4096, kLongest); }
TEST(LongMessage, Send) { move(QpType::rc, WrOpcode::send, 1024, kLongest); }
TEST(LongMessage, OfFourMillionPackets) { move(QpType::rc, WrOpcode::rdma_write, 256, kLongest); }
TEST(LongMessage, Unreliable) { move(QpType::uc, WrOpcode::send, 1024, kLongest); }

}  // namespace
}  // namespace uroce::transport::test
