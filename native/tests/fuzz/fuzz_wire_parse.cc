// Every parser of uroce/wire on arbitrary bytes: no read outside of them, what is parsed and emitted parses
// to the same, and the checksums agree with their plain definitions.
#include <algorithm>

#include "harness.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/cm_messages.h"
#include "uroce/wire/crc32.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/ip.h"
#include "uroce/wire/opcode.h"

namespace {

using namespace uroce;

template <class Header>
void round_trip(const uint8_t* p, size_t len) {
  const auto parsed = Header::parse(p, len);
  FUZZ_CHECK(parsed.has_value() == (len >= Header::kSize));
  if (!parsed) return;
  std::vector<uint8_t> out(Header::kSize);
  parsed->emit(out.data());
  FUZZ_CHECK(Header::parse(out.data(), out.size()) == parsed);
}

void all_headers(const uint8_t* p, size_t len) {
  round_trip<wire::Bth>(p, len);
  round_trip<wire::Reth>(p, len);
  round_trip<wire::Aeth>(p, len);
  round_trip<wire::ImmDt>(p, len);
  round_trip<wire::Ieth>(p, len);
  round_trip<wire::Deth>(p, len);
  round_trip<wire::AtomicEth>(p, len);
  round_trip<wire::AtomicAckEth>(p, len);
  round_trip<wire::Ipv4>(p, len);
  round_trip<wire::Ipv6>(p, len);
  round_trip<wire::Grh>(p, len);
  round_trip<wire::Udp>(p, len);
}

void all_cm_messages(const uint8_t* p, size_t len) {
  round_trip<wire::MadHeader>(p, len);
  round_trip<wire::CmReq>(p, len);
  round_trip<wire::CmMra>(p, len);
  round_trip<wire::CmRej>(p, len);
  round_trip<wire::CmRep>(p, len);
  round_trip<wire::CmRtu>(p, len);
  round_trip<wire::CmDreq>(p, len);
  round_trip<wire::CmDrep>(p, len);
  round_trip<wire::CmSidrReq>(p, len);
  round_trip<wire::CmSidrRep>(p, len);
  round_trip<wire::CmIp>(p, len);
}

uint32_t crc_bit_by_bit(uint32_t state, const uint8_t* p, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    state ^= p[i];
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ (state & 1 ? 0xedb88320 : 0);
  }
  return state;
}

void checksums(const uint8_t* p, size_t len) {
  const uint32_t state = crc_bit_by_bit(wire::kIcrcSeed, p, len);
  FUZZ_CHECK(wire::crc_update_isal(wire::kIcrcSeed, p, len) == state);
  FUZZ_CHECK(wire::crc_update_sparse(wire::kIcrcSeed, p, len) == state);
  FUZZ_CHECK(wire::crc_update_table(wire::kIcrcSeed, p, len) == state);
  std::vector<uint8_t> copy(len);
  FUZZ_CHECK(wire::crc_copy(wire::kIcrcSeed, copy.data(), p, len) == state);
  FUZZ_CHECK(std::equal(copy.begin(), copy.end(), p));
  // The difference between two states moves over equal bytes without knowing them, and back.
  const uint32_t other = crc_bit_by_bit(0x12345678, p, len);
  FUZZ_CHECK(wire::crc_advance(wire::kIcrcSeed ^ 0x12345678, len) == (state ^ other));
  FUZZ_CHECK(wire::crc_rewind(state ^ other, len) == (wire::kIcrcSeed ^ 0x12345678));
}

// The ICRC by its definition: mask a copy, run the plain CRC over it.
uint32_t icrc_by_definition(const uint8_t* ip, size_t len, size_t ip_size) {
  std::vector<uint8_t> copy(ip, ip + len);
  if (ip_size == wire::Ipv4::kSize) {
    for (size_t i : {1, 8, 10, 11}) copy[i] = 0xff;
  } else {
    copy[0] |= 0x0f;
    for (size_t i : {1, 2, 3, 7}) copy[i] = 0xff;
  }
  for (size_t i : {6, 7}) copy[ip_size + i] = 0xff;
  copy[ip_size + wire::Udp::kSize + 4] = 0xff;
  return ~crc_bit_by_bit(wire::kIcrcSeed, copy.data(), len);
}

void packet(const uint8_t* p, size_t len) {
  const auto icrc = wire::icrc_of_packet(p, len);
  if (!icrc) return;
  const size_t ip_size = p[0] >> 4 == 4 ? wire::Ipv4::kSize : wire::Ipv6::kSize;
  FUZZ_CHECK(*icrc == icrc_by_definition(p, len, ip_size));
  const uint8_t* bth_at = p + ip_size + wire::Udp::kSize;
  const size_t left = len - ip_size - wire::Udp::kSize;
  const auto bth = wire::BthView::of(bth_at, left);
  FUZZ_CHECK(bth.has_value());
  const wire::OpcodeInfo& info = wire::kOpcodes[bth->opcode()];
  if (info.has(wire::OpcodeInfo::known) && left >= info.header_size) {
    all_headers(bth_at + wire::Bth::kSize, info.header_size - wire::Bth::kSize);
  }
  // An identification that the sender's kernel chose is found again.
  if (ip_size != wire::Ipv4::kSize || p[0] != 0x45) return;
  std::vector<uint8_t> other(p, p + len);
  other[4] = other[5] = 0;
  const auto udp_length = static_cast<uint16_t>(left + wire::Udp::kSize + wire::kIcrcSize);
  const auto id = wire::explain_ip_id(*icrc ^ *wire::icrc_of_packet(other.data(), len), udp_length);
  FUZZ_CHECK(id == static_cast<uint16_t>(p[4] << 8 | p[5]));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 9000) return 0;
  all_headers(data, size);
  all_cm_messages(data, size);
  checksums(data, size);
  packet(data, size);
  if (size >= 6) {
    wire::explain_ip_id(wire::load32(data), wire::load16(data + 4));
    wire::icrc_id_difference(wire::load16(data));
  }
  return 0;
}
