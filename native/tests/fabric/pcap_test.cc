// Captures: every packet of a run, byte by byte as on a wire.
#include "sim/scenario/pcap.h"

#include <cstring>
#include <map>

#include "check.h"
#include "sim/scenario/report.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/ip.h"

namespace vlsim {
namespace {

namespace wire = uroce::wire;

struct Record {
  uint64_t ns;
  uint32_t length;  // on the wire
  std::vector<uint8_t> bytes;
  uint32_t type() const { return bytes[12] << 8 | bytes[13]; }
  uint32_t ecn() const { return bytes[15] & 3; }
  uint32_t opcode() const { return bytes[42]; }
};

struct Captured {
  std::vector<Record> records;
  std::string line;
};

// Runs it and reads the capture back.
Captured capture(Simulation& run, const PcapSettings& settings) {
  Captured c;
  char* text = nullptr;
  size_t size = 0;
  std::FILE* file = open_memstream(&text, &size);
  Pcap pcap(file, settings, static_cast<uint32_t>(run.fabric().hosts.size()));
  run.fabric().set_tap(&pcap);
  run.run();
  run.fabric().set_tap(nullptr);
  std::fclose(file);
  EXPECT_LE(size, settings.most_bytes);
  const auto word = [&](size_t at) {
    uint32_t v;
    std::memcpy(&v, text + at, 4);
    return v;
  };
  EXPECT_EQ(word(0), 0xa1b23c4d);
  for (size_t at = 24; at < size; at += 16 + word(at + 8)) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(text) + at + 16;
    c.records.push_back(
        {word(at) * 1'000'000'000ull + word(at + 4), word(at + 12), {bytes, bytes + word(at + 8)}});
  }
  std::free(text);
  EXPECT_EQ(c.records.size(), pcap.packets());
  c.line = pcap.line();
  return c;
}

Scenario marked_and_paused() {
  Scenario s;
  s.topology.hosts = 4;
  s.at.buffer.lossless = 1 << 3;
  s.at.buffer.shared = 300'000;
  s.at.ecn = {true, false, 5'000, 200'000, 200'000};
  s.links.host.loss_ppb = 1'000'000;
  s.transport.policy.congestion = uroce::transport::DcqcnParameters::paper(100'000'000'000);
  s.transport.connection.timeout = 8;
  s.transport.connection.reads = 4;
  TrafficSettings all;
  all.kind = TrafficKind::incast;
  TrafficSettings read = flow(0, 1);
  read.read = true;
  s.traffic = {all, read};
  s.duration = 2 * kMs;
  return s;
}

TEST(Pcap, HasWhatArrivesWithTheRightChecksums) {
  Simulation run(marked_and_paused());
  PcapSettings settings;
  settings.payload = true;
  const Captured c = capture(run, settings);
  uint64_t before = 0, marked = 0, cnps = 0, pauses = 0, data = 0;
  for (const Record& r : c.records) {
    EXPECT_GE(r.ns, before);
    before = r.ns;
    ASSERT_EQ(r.length, r.bytes.size());
    if (r.type() == 0x8808) {
      ++pauses;
      EXPECT_EQ(r.length, 60u);
      EXPECT_EQ(r.bytes[5], 0x01);  // to 01:80:c2:00:00:01
      EXPECT_EQ(r.bytes[7], 1);     // from the switch
      EXPECT_EQ(r.bytes[17], 1 << 3);
      const uint32_t quanta = r.bytes[24] << 8 | r.bytes[25];
      EXPECT_TRUE(quanta == 0 || quanta == 65535);
      continue;
    }
    const uint8_t* ip = r.bytes.data() + 14;
    const auto length = static_cast<size_t>(ip[2] << 8 | ip[3]);
    ASSERT_EQ(length + 14, r.bytes.size());
    EXPECT_EQ(wire::ipv4_checksum(ip), ip[10] << 8 | ip[11]);
    const auto icrc = wire::icrc_of_packet(ip, length - wire::kIcrcSize);
    ASSERT_TRUE(icrc.has_value());
    EXPECT_EQ(*icrc, wire::icrc_load(ip + length - wire::kIcrcSize));
    marked += r.ecn() == 3;
    cnps += r.opcode() == wire::opcode::cnp;
    if (r.opcode() == wire::opcode::cnp) {
      EXPECT_EQ(ip[1] >> 2, 48);  // DSCP
    } else {
      data += length > 4000;
      EXPECT_EQ(ip[1] >> 2, 24);
    }
  }
  const Fabric& f = run.fabric();
  const Totals t = totals(run);
  EXPECT_GT(pauses, 0u);
  EXPECT_GT(data, 1000u);
  EXPECT_EQ(cnps, f.tally(PacketKind::cnp).delivered);
  EXPECT_GT(cnps, 0u);
  EXPECT_GT(marked, 0u);
  EXPECT_LE(marked, t.marked);
  uint64_t delivered = 0;
  for (const PacketKind kind : {PacketKind::data, PacketKind::ack, PacketKind::cnp})
    delivered += f.tally(kind).delivered;
  EXPECT_EQ(c.records.size() - pauses, delivered);
}

TEST(Pcap, EndsAPacketBehindItsHeaders) {
  Simulation run(marked_and_paused());
  const Captured c = capture(run, {});
  for (const Record& r : c.records) {
    if (r.type() != 0x0800) continue;
    if (r.length > 200) {
      EXPECT_LE(r.bytes.size(), 14u + 20 + 8 + 12 + 16);
    } else {
      EXPECT_EQ(r.length, r.bytes.size());
    }
  }
}

TEST(Pcap, HasAPacketBetweenTwoChosenHostsOnce) {
  Simulation run(marked_and_paused());
  PcapSettings settings;
  settings.hosts = {0, 1};
  const Captured c = capture(run, settings);
  uint64_t lost = 0;
  for (const auto& port : run.fabric().ports) lost += port->dropped[0];
  EXPECT_GT(lost, 0u);
  // Every packet that host 1 sent to host 0 is there with its own PSN, or was sent again.
  std::map<uint32_t, uint64_t> seen;
  for (const Record& r : c.records) {
    EXPECT_TRUE(r.type() == 0x8808 || r.bytes[29] <= 1 || r.bytes[33] <= 1);
    if (r.type() == 0x0800 && r.bytes[29] == 1 && r.bytes[33] == 0 && r.length > 4000)
      ++seen[r.bytes[51] << 16 | r.bytes[52] << 8 | r.bytes[53]];
  }
  uint64_t twice = 0;
  for (const auto& [psn, times] : seen) twice += times - 1;
  EXPECT_GT(seen.size(), 100u);
  EXPECT_LE(twice, totals(run).retransmitted);
}

TEST(Pcap, IsBoundedAndSaysWhereItEnds) {
  Simulation run(marked_and_paused());
  PcapSettings settings;
  settings.most_bytes = 100'000;
  const Captured c = capture(run, settings);
  EXPECT_GT(c.records.size(), 500u);
  EXPECT_NE(c.line.find("later ones are left out."), std::string::npos) << c.line;
  Simulation all(marked_and_paused());
  const Captured whole = capture(all, {});
  EXPECT_NE(whole.line.find("The capture has all "), std::string::npos) << whole.line;
  EXPECT_EQ(run.fabric().trace(), all.fabric().trace());
}

TEST(Pcap, HasThePayloadThatIsCarried) {
  Scenario s;
  s.payload = true;
  s.traffic = {flow(0, 1, 10'000)};
  s.until_done = true;
  Simulation run(s);
  for (uint32_t i = 0; i < 10'000; ++i) run.fabric().hosts[0]->memory()[i] = static_cast<uint8_t>(mix(i));
  PcapSettings settings;
  settings.payload = true;
  const Captured c = capture(run, settings);
  const Record& first = c.records.at(0);
  ASSERT_EQ(first.bytes.size(), 14u + 20 + 8 + 12 + 16 + 4096 + 4);
  EXPECT_EQ(std::memcmp(first.bytes.data() + 70, run.fabric().hosts[0]->memory(), 4096), 0);
  EXPECT_EQ(*wire::icrc_of_packet(first.bytes.data() + 14, first.bytes.size() - 18),
            wire::icrc_load(first.bytes.data() + first.bytes.size() - 4));
}

}  // namespace
}  // namespace vlsim
