// A live ring whose memory the other process writes as the input says: the reader's word, the records, the
// words in front of them, at any moment between two steps of either side. Both sides go on or give the ring
// up; neither leaves the memory of the ring, returns a packet of an impossible length, or works without
// end.
//
// Input: operations of one byte, some with arguments. An undisturbed writer must get its packets through.
#include <algorithm>
#include <deque>
#include <memory>
#include <span>

#include "harness.h"
#include "uroce/net/shm/ring.h"

namespace {

using namespace uroce;
using namespace uroce::fuzz;
using namespace uroce::net::shm;

constexpr uint32_t kMaxOperations = 2000;

class Live {
 public:
  Live()
      : pages_(static_cast<uint8_t*>(std::aligned_alloc(kRecords, ring_memory(kMinRing)))),
        memory_(cleared(pages_.get())),
        writer_(memory_),
        reader_(memory_) {}

  void step(Input& in) {
    const uint8_t code = in.u8();
    switch (code & 7) {
      case 0:
      case 1:
        return write(in);
      case 2:
        return read(1);
      case 3:
        return read(64);
      case 4:
        return scribble(in);
      case 5:
        if ((code & 8) != 0) return flood(in.u16());
        // A word of the records, at its place.
        return store(kRecords + uint64_t{in.u16()} * kLine % kMinRing, in.u64());
      case 6:
        if ((code & 8) != 0) writer_.set_waiting((code & 16) != 0);
        return store((code & 32) != 0 ? 0 : kLine, in.u64());
      default:
        FUZZ_CHECK(writer_.room(kMaxPacket, code) * uint64_t{kMaxPacket} <= kMinRing);
        reader_.give_back((code & 8) != 0);
    }
  }

 private:
  struct Free {
    void operator()(uint8_t* p) const { std::free(p); }
  };
  static std::span<uint8_t> cleared(uint8_t* at) {
    FUZZ_CHECK(at != nullptr);
    std::memset(at, 0, ring_memory(kMinRing));
    return {at, ring_memory(kMinRing)};
  }

  void write(Input& in) {
    const uint32_t length = kMinPacket + in.u16() % (kMaxPacket - kMinPacket + 1);
    const uint8_t fill = in.u8();
    const uint32_t room = writer_.room(length, 1);
    uint8_t* place = writer_.reserve(length);
    FUZZ_CHECK(place != nullptr || room == 0 || writer_.broken());
    if (place == nullptr) return;
    FUZZ_CHECK(place >= memory_.data() + kRecords && place + length <= memory_.data() + memory_.size());
    std::memset(place, fill, length);
    writer_.publish(length, {.tos = fill});
    if (honest_) expected_.push_back({length, fill});
  }

  void read(uint32_t most) {
    RingReader::Packet packet;
    for (uint32_t i = 0; i < most && reader_.pop(&packet); ++i) {
      FUZZ_CHECK(packet.length >= kMinPacket && packet.length <= kMaxPacket);
      // The packet is a copy: later writes to the ring do not change it.
      if (!honest_) continue;
      FUZZ_CHECK(!expected_.empty() && expected_.front().length == packet.length);
      const uint8_t fill = expected_.front().fill;
      FUZZ_CHECK(
          std::all_of(packet.data, packet.data + packet.length, [fill](uint8_t b) { return b == fill; }));
      expected_.pop_front();
    }
    FUZZ_CHECK(!honest_ || (!reader_.broken() && !writer_.broken()));
    reader_.give_back(most > 1);
  }

  void scribble(Input& in) {
    const uint32_t at = in.u32() % static_cast<uint32_t>(memory_.size());
    size_t got;
    const uint8_t* bytes = in.take(in.u8(), &got);
    got = std::min(got, memory_.size() - at);
    if (got == 0) return;
    std::memcpy(memory_.data() + at, bytes, got);
    honest_ = false;
  }

  // Every position of the reader shows a packet of that length, also where it would end behind the ring.
  void flood(uint16_t length) {
    for (uint64_t at = kRecords; at < memory_.size(); at += kLine) store(at, length % (kMaxPacket + 8));
  }

  void store(uint64_t at, uint64_t value) {
    std::memcpy(memory_.data() + at, &value, sizeof value);
    honest_ = false;
  }

  struct Sent {
    uint32_t length;
    uint8_t fill;
  };
  // Memory of exactly that size: the sanitizer sees a byte behind it.
  std::unique_ptr<uint8_t, Free> pages_;
  std::span<uint8_t> memory_;
  RingWriter writer_;
  RingReader reader_;
  bool honest_ = true;
  std::deque<Sent> expected_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 8192) return 0;
  Input in(data, size);
  Live live;
  for (uint32_t n = 0; n < kMaxOperations && !in.empty(); ++n) live.step(in);
  return 0;
}
