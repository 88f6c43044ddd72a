#include "uroce/wire/opcode.h"

#include <initializer_list>

namespace uroce::wire {
namespace {

using I = OpcodeInfo;

constexpr uint8_t size_of(uint16_t flags) {
  return static_cast<uint8_t>(12 + (flags & I::reth ? 16 : 0) + (flags & I::aeth ? 4 : 0) +
                              (flags & I::imm ? 4 : 0) + (flags & I::atomic_eth ? 28 : 0) +
                              (flags & I::atomic_ack ? 8 : 0) + (flags & I::ieth ? 4 : 0) +
                              (flags & I::deth ? 8 : 0));
}

struct Entry {
  uint8_t opcode;
  uint16_t flags;
  const char* name;
};

constexpr Entry kEntries[] = {
    {0x00, I::request | I::first | I::payload, "RC Send First"},
    {0x01, I::request | I::middle | I::payload, "RC Send Middle"},
    {0x02, I::request | I::last | I::payload, "RC Send Last"},
    {0x03, I::request | I::last | I::imm | I::payload, "RC Send Last Immediate"},
    {0x04, I::request | I::only | I::payload, "RC Send Only"},
    {0x05, I::request | I::only | I::imm | I::payload, "RC Send Only Immediate"},
    {0x06, I::request | I::first | I::reth | I::payload, "RC RDMA Write First"},
    {0x07, I::request | I::middle | I::payload, "RC RDMA Write Middle"},
    {0x08, I::request | I::last | I::payload, "RC RDMA Write Last"},
    {0x09, I::request | I::last | I::imm | I::payload, "RC RDMA Write Last Immediate"},
    {0x0a, I::request | I::only | I::reth | I::payload, "RC RDMA Write Only"},
    {0x0b, I::request | I::only | I::reth | I::imm | I::payload, "RC RDMA Write Only Immediate"},
    {0x0c, I::request | I::only | I::reth, "RC RDMA Read Request"},
    {0x0d, I::response | I::first | I::aeth | I::payload, "RC RDMA Read response First"},
    {0x0e, I::response | I::middle | I::payload, "RC RDMA Read response Middle"},
    {0x0f, I::response | I::last | I::aeth | I::payload, "RC RDMA Read response Last"},
    {0x10, I::response | I::only | I::aeth | I::payload, "RC RDMA Read response Only"},
    {0x11, I::response | I::only | I::aeth, "RC Acknowledge"},
    {0x12, I::response | I::only | I::aeth | I::atomic_ack, "RC Atomic Acknowledge"},
    {0x13, I::request | I::only | I::atomic_eth, "RC Compare Swap"},
    {0x14, I::request | I::only | I::atomic_eth, "RC Fetch Add"},
    {0x16, I::request | I::last | I::ieth | I::payload, "RC Send Last Invalidate"},
    {0x17, I::request | I::only | I::ieth | I::payload, "RC Send Only Invalidate"},
    {0x20, I::request | I::first | I::payload, "UC Send First"},
    {0x21, I::request | I::middle | I::payload, "UC Send Middle"},
    {0x22, I::request | I::last | I::payload, "UC Send Last"},
    {0x23, I::request | I::last | I::imm | I::payload, "UC Send Last Immediate"},
    {0x24, I::request | I::only | I::payload, "UC Send Only"},
    {0x25, I::request | I::only | I::imm | I::payload, "UC Send Only Immediate"},
    {0x26, I::request | I::first | I::reth | I::payload, "UC RDMA Write First"},
    {0x27, I::request | I::middle | I::payload, "UC RDMA Write Middle"},
    {0x28, I::request | I::last | I::payload, "UC RDMA Write Last"},
    {0x29, I::request | I::last | I::imm | I::payload, "UC RDMA Write Last Immediate"},
    {0x2a, I::request | I::only | I::reth | I::payload, "UC RDMA Write Only"},
    {0x2b, I::request | I::only | I::reth | I::imm | I::payload, "UC RDMA Write Only Immediate"},
    {0x64, I::request | I::only | I::deth | I::payload, "UD Send Only"},
    {0x65, I::request | I::only | I::deth | I::imm | I::payload, "UD Send Only Immediate"},
    {0x81, I::request | I::only | I::payload, "CNP"},
};

constexpr std::array<OpcodeInfo, 256> make_table() {
  std::array<OpcodeInfo, 256> table{};
  for (const Entry& e : kEntries) {
    table[e.opcode] = {static_cast<uint16_t>(e.flags | I::known), size_of(e.flags), e.name};
  }
  return table;
}

}  // namespace

constinit const std::array<OpcodeInfo, 256> kOpcodes = make_table();

}  // namespace uroce::wire
