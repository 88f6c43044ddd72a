// The connection manager against a peer that says anything: MADs with any content, calls in any order, time
// that jumps. No crash, no connection that outlives its application without end, no event out of turn.
//
// Input: records. A byte chooses: a MAD (attribute, then the message's bytes, with the IDs of a live
// connection put in where asked), a call on one of the connections, or time.
#include <algorithm>
#include <map>
#include <memory>

#include "harness.h"
#include "uroce/cm/protocol/machine.h"

namespace {

using namespace uroce;
using namespace uroce::cm;

Gid gid(uint8_t last) {
  Gid out{};
  out[10] = out[11] = 0xff;
  out[15] = last;
  return out;
}

class Consumer final : public Owner {
 public:
  explicit Consumer(SeededRandom& random) : machine({.id_base = 5u << 20, .ca_guid = 1}, random, *this) {}

  void send(const Address&, const wire::MadBytes& mad) override {
    const auto header = wire::MadHeader::parse(mad.data(), mad.size());
    FUZZ_CHECK(header->is_cm());
    ++sent;
  }
  void* listener(uint64_t service_id, const Address&, std::span<const uint8_t>, bool) override {
    return (service_id & 1) == 0 ? this : nullptr;
  }
  void on_event(const Event& event) override {
    Connection& c = event.connection;
    if (event.type == cm::EventType::request || event.type == cm::EventType::sidr_request) {
      FUZZ_CHECK(c.user == nullptr && event.listener == this);
      if (live.size() >= 64) return machine.destroy(&c, now);
      c.user = this;
      live.push_back(&c);
      return;
    }
    FUZZ_CHECK(c.user == this);
    FUZZ_CHECK(std::find(live.begin(), live.end(), &c) != live.end());
    FUZZ_CHECK(event.private_data.size() <= wire::kMadPayload);
    if (event.type == cm::EventType::reply) FUZZ_CHECK(c.state == State::rep_received);
    if (event.type == cm::EventType::established) FUZZ_CHECK(c.state == State::established);
    if (event.type == cm::EventType::disconnect_request) FUZZ_CHECK(c.state == State::dreq_received);
  }

  Connection* pick(uint8_t choice) { return live.empty() ? nullptr : live[choice % live.size()]; }
  void drop(Connection* c) {
    live.erase(std::find(live.begin(), live.end(), c));
    machine.destroy(c, now);
  }

  uint64_t now = 1;
  uint64_t sent = 0;
  std::vector<Connection*> live;
  Machine machine;
};

void feed(Consumer& consumer, fuzz::Input& input) {
  wire::MadBytes mad{};
  wire::MadHeader header;
  header.attribute = static_cast<uint16_t>(0x10 + input.u8() % 12);
  header.emit(mad.data());
  const uint8_t aim = input.u8();
  size_t got = 0;
  const uint8_t* bytes = input.take(1 + input.u8() % 128, &got);
  std::copy_n(bytes, got, mad.begin() + wire::MadHeader::kSize);
  uint8_t* const message = mad.data() + wire::MadHeader::kSize;
  if (Connection* c = consumer.pick(aim); c != nullptr && (aim & 0x40) != 0) {
    wire::store32(message, c->remote_id);
    wire::store32(message + 4, c->local_id);
    if (header.attribute == wire::cm_attribute::sidr_rep) wire::store32(message, c->local_id);
  }
  if ((aim & 0x80) != 0) mad[input.u8()] ^= input.u8();
  consumer.machine.on_mad(mad.data(), {.local = gid(1), .remote = gid(static_cast<uint8_t>(2 + (aim & 1)))},
                          consumer.now);
}

void call(Consumer& consumer, fuzz::Input& input) {
  Machine& machine = consumer.machine;
  const uint8_t what = input.u8() % 9;
  Connection* c = consumer.pick(input.u8());
  if (what == 0 && consumer.live.size() < 64) {
    consumer.live.push_back(machine.create(
        &consumer, {.local = gid(1), .remote = gid(static_cast<uint8_t>(2 + (input.u8() & 1)))}));
    return;
  }
  if (c == nullptr) return;
  const std::vector<uint8_t> data(input.u8());
  switch (what) {
    case 1:
      machine.connect(*c, {.service_id = 2, .qpn = input.u32() & 0xffffff, .private_data = data},
                      consumer.now);
      break;
    case 2:
      machine.accept(*c, {.qpn = input.u32() & 0xffffff, .private_data = data}, consumer.now);
      break;
    case 3:
      machine.send_rtu(*c);
      break;
    case 4:
      machine.reject(*c, input.u16(), data, consumer.now);
      break;
    case 5:
      machine.disconnect(*c, consumer.now);
      break;
    case 6:
      machine.send_sidr_req(*c, 4, data, consumer.now);
      break;
    case 7:
      machine.send_sidr_rep(*c, input.u8(), 7, 8, data);
      break;
    default:
      consumer.drop(c);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  SeededRandom random(1);
  Consumer consumer(random);
  fuzz::Input input(data, size);
  while (!input.empty()) {
    switch (input.u8() % 4) {
      case 0:
      case 1:
        feed(consumer, input);
        break;
      case 2:
        call(consumer, input);
        break;
      default:
        consumer.now += uint64_t{input.u16()} * 1'000'000;
        consumer.machine.on_time(consumer.now);
    }
  }
  while (!consumer.live.empty()) consumer.drop(consumer.live.back());
  for (int i = 0; i < 10'000 && consumer.machine.next_wake() != kNever; ++i) {
    consumer.now = std::max(consumer.now, consumer.machine.next_wake());
    consumer.machine.on_time(consumer.now);
  }
  FUZZ_CHECK(consumer.machine.size() == 0);
  return 0;
}
