// The RoCEv2 packets of the captures in testdata/, from the IP header to the ICRC.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace uroce::wire::test {

using Bytes = std::vector<uint8_t>;

// Classic pcap, little-endian, link type Ethernet. Keeps IPv4 and IPv6 datagrams to UDP port 4791.
inline std::vector<Bytes> roce_packets(const std::string& name) {
  const std::string path = std::string(VERBSLAB_TESTDATA) + "/" + name;
  std::ifstream in(path, std::ios::binary);
  const Bytes file{std::istreambuf_iterator<char>(in), {}};
  const auto word = [&](size_t at) {
    uint32_t v;
    std::memcpy(&v, &file.at(at + 3) - 3, 4);
    return v;
  };
  if (file.size() < 24 || word(0) != 0xa1b2c3d4 || word(20) != 1)
    throw std::runtime_error("not the capture expected: " + path);
  std::vector<Bytes> packets;
  for (size_t at = 24; at + 16 <= file.size();) {
    const size_t len = word(at + 8);
    const uint8_t* frame = &file.at(at + 16);
    at += 16 + len;
    if (len < 14 + 40 + 8) continue;
    const bool v4 = frame[12] == 0x08 && frame[13] == 0x00;
    const bool v6 = frame[12] == 0x86 && frame[13] == 0xdd;
    const uint8_t* ip = frame + 14;
    const size_t udp = v4 ? 20 : 40;
    if ((!v4 && !v6) || ip[v4 ? 9 : 6] != 17 || (ip[udp + 2] << 8 | ip[udp + 3]) != 4791) continue;
    // Short frames are padded on Ethernet; the UDP length tells where the packet ends.
    packets.emplace_back(ip, ip + udp + (ip[udp + 4] << 8 | ip[udp + 5]));
  }
  return packets;
}

inline const char* const kCaptures[] = {"rxe-verbs-and-cm.pcap", "rxe-write-8pc-loss.pcap"};

}  // namespace uroce::wire::test
