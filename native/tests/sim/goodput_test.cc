// Goodput of go-back-N against loss, in virtual time: a table kept as a golden file, and a look at how far it
// is from the formula that is taught.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "duo.h"
#include "options.h"

namespace uroce::sim {
namespace {

constexpr uint16_t kMtu = 1024;
constexpr uint32_t kPsPerByte = 800;  // 10 Gb/s
constexpr uint32_t kMessage = 1 << 16;
constexpr uint32_t kMessages = 1000;
constexpr uint32_t kWindows[] = {16, 32, 64};
constexpr uint32_t kLosses[] = {0, 10, 40, 100, 200, 500};  // packets in 10,000
// BTH and ICRC and all below; the RETH of a First is left out.
constexpr uint64_t kPacketNs = (kMtu + 12 + 4 + kFraming) * uint64_t{kPsPerByte} / 1000;

struct Measured {
  uint64_t kbps = 0;  // payload
  uint64_t packets = 0;
  uint64_t naks = 0;
  uint64_t timeouts = 0;
};

// The window holds a quarter more than the link from end to end and back, so that an ACK every four packets
// keeps it full when nothing is lost.
uint64_t delay_ns(uint32_t window) { return (window - window / 4) * kPacketNs / 2; }

Measured measure(uint32_t window, uint32_t loss) {
  DuoSetup s;
  s.faults[0].drop = loss;  // data only: ACKs arrive
  s.link = {delay_ns(window), kPsPerByte};
  s.engine.window_packets = window;
  s.engine.window_bytes = s.engine.engine_window_bytes = 1u << 30;
  s.engine.ack_request_packets = 4;
  s.mtu = kMtu;
  s.timeout = 1;
  while ((4096ull << s.timeout) < 4 * delay_ns(window)) ++s.timeout;
  Duo duo(s);
  Duo::End &a = duo.end(0), &b = duo.end(1);
  const transport::Sge source = a.sge(0, kMessage);
  transport::SendWr wr;
  wr.flags = send_flag::signaled;
  wr.opcode = WrOpcode::rdma_write;
  wr.sg_list = &source;
  wr.num_sge = 1;
  wr.remote_addr = Duo::kIova;
  wr.rkey = b.key;
  const uint64_t start = duo.now();
  uint32_t posted = 0;
  do {
    while (posted < kMessages && a.engine.post_send(*a.qp, wr, duo.now()) == 0) ++posted;
  } while (duo.step() && a.done.size() < kMessages);
  EXPECT_EQ(a.done.size(), kMessages);
  for (const transport::Completion& wc : a.done) EXPECT_EQ(wc.status, WcStatus::success);
  const transport::Counters& c = a.engine.counters();
  return {uint64_t{kMessage} * kMessages * 8 * 1'000'000 / (duo.now() - start), c.sent_pkts, c.packet_seq_err,
          c.local_ack_timeout_err};
}

// Each loss costs what is sent until the news of it has come back.
double formula(uint32_t loss, double w) {
  const double p = loss / 10'000.0;
  return (1 - p) / (1 - p + p * w);
}

std::string table(Measured (&cells)[std::size(kLosses)][std::size(kWindows)]) {
  std::ostringstream out;
  char line[256];
  std::snprintf(line, sizeof line,
                "# Goodput of go-back-N against loss of data packets, virtual time.\n"
                "# %u WRITEs of %u B, MTU %u, link %u Gb/s, ACK asked for every 4 packets, ACK timeout 2..4 "
                "round trips.\n",
                kMessages, kMessage, kMtu, 8000 / kPsPerByte);
  out << line;
  for (uint32_t w : kWindows) {
    std::snprintf(line, sizeof line, "# window %u packets: propagation delay %" PRIu64 " ns each way\n", w,
                  delay_ns(w));
    out << line;
  }
  out << "# relative: to the same window without loss; formula: (1-p)/(1-p+pW)\n"
         "window  loss %  Gb/s    relative  formula  packets  NAKs   timeouts\n";
  for (size_t w = 0; w < std::size(kWindows); ++w) {
    for (size_t l = 0; l < std::size(kLosses); ++l) {
      const Measured& m = cells[l][w];
      const uint64_t relative = m.kbps * 10'000 / cells[0][w].kbps;
      std::snprintf(line, sizeof line,
                    "%6u  %u.%u     %" PRIu64 ".%03" PRIu64 "   %" PRIu64 ".%04" PRIu64
                    "    %.3f    %7" PRIu64 "  %5" PRIu64 "  %5" PRIu64 "\n",
                    kWindows[w], kLosses[l] / 100, kLosses[l] / 10 % 10, m.kbps / 1'000'000,
                    m.kbps / 1000 % 1000, relative / 10'000, relative % 10'000,
                    formula(kLosses[l], kWindows[w]), m.packets, m.naks, m.timeouts);
      out << line;
    }
  }
  return out.str();
}

TEST(Goodput, GoBackNAgainstLoss) {
  Measured cells[std::size(kLosses)][std::size(kWindows)];
  for (size_t l = 0; l < std::size(kLosses); ++l) {
    for (size_t w = 0; w < std::size(kWindows); ++w) cells[l][w] = measure(kWindows[w], kLosses[l]);
  }
  const std::string now = table(cells);
  std::fputs(now.c_str(), stdout);

  const std::string path = SIM_GOLDEN_DIR "/goodput_go_back_n.txt";
  if (options().update_golden) {
    std::ofstream(path) << now;
  } else {
    std::ifstream file(path);
    std::stringstream golden;
    golden << file.rdbuf();
    EXPECT_EQ(golden.str(), now) << "another table than " << path
                                 << "; if it is meant to change: sim_tests --update-golden";
  }

  // Nearly the whole link without loss: payload over packet.
  const double link = 8.0 * kMtu / static_cast<double>(kPacketNs) * 1e6;
  for (size_t w = 0; w < std::size(kWindows); ++w) {
    EXPECT_GT(static_cast<double>(cells[0][w].kbps), 0.97 * link) << "window " << kWindows[w];
    for (size_t l = 1; l < std::size(kLosses); ++l) {
      EXPECT_LT(cells[l][w].kbps, cells[l - 1][w].kbps) << "more loss and more goodput";
      const double relative = static_cast<double>(cells[l][w].kbps) / static_cast<double>(cells[0][w].kbps);
      const double expected = formula(kLosses[l], kWindows[w]);
      // The formula knows no timeouts, after which the window begins small: up to 6 % at the highest loss.
      EXPECT_NEAR(relative / expected, 1, 0.07) << "window " << kWindows[w] << ", loss " << kLosses[l];
    }
  }
}

}  // namespace
}  // namespace uroce::sim
