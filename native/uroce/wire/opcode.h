// BTH opcodes: numbers, and a table of what each packet carries.
#pragma once

#include <array>
#include <cstdint>

namespace uroce::wire {

// The three high bits name the transport service.
namespace service {
inline constexpr uint8_t kMask = 0xe0, kRc = 0x00, kUc = 0x20, kRd = 0x40, kUd = 0x60;
}

namespace opcode {
// RC; UC uses the same numbers plus 0x20 for 00-0b.
inline constexpr uint8_t send_first = 0x00, send_middle = 0x01, send_last = 0x02, send_last_imm = 0x03,
                         send_only = 0x04, send_only_imm = 0x05, write_first = 0x06, write_middle = 0x07,
                         write_last = 0x08, write_last_imm = 0x09, write_only = 0x0a, write_only_imm = 0x0b,
                         read_request = 0x0c, read_response_first = 0x0d, read_response_middle = 0x0e,
                         read_response_last = 0x0f, read_response_only = 0x10, acknowledge = 0x11,
                         atomic_acknowledge = 0x12, compare_swap = 0x13, fetch_add = 0x14,
                         send_last_inv = 0x16, send_only_inv = 0x17, flush = 0x1c, atomic_write = 0x1d;
inline constexpr uint8_t cnp = 0x81;  // congestion notification, its own service
}  // namespace opcode

struct OpcodeInfo {
  enum Flag : uint16_t {
    known = 1,
    request = 2,
    response = 4,
    first = 8,  // starts a message that has more packets
    middle = 16,
    last = 32,  // ends a message that had more packets
    only = 64,
    reth = 128,
    aeth = 256,
    imm = 512,
    atomic_eth = 1024,
    atomic_ack = 2048,
    ieth = 4096,
    deth = 8192,
    payload = 16384,  // may carry payload
  };
  uint16_t flags = 0;
  uint8_t header_size = 0;     // BTH and extended headers, bytes
  const char* name = nullptr;  // short, for messages; nullptr for unknown opcodes

  bool has(uint16_t f) const { return (flags & f) != 0; }
};

// All 256 entries; unknown ones have flags 0.
extern const std::array<OpcodeInfo, 256> kOpcodes;

}  // namespace uroce::wire
