#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "bench/vlloop/sides.h"

namespace vlloop {
namespace {

const char* kReasons[] = {"iterations", "duration", "stopped", "error"};
const char* kKinds[] = {"completion", "round-trip", "acknowledged", "none"};

void print_figures(FILE* out, const vlbench::Figures& f) {
  const double seconds = static_cast<double>(f.interval_ns) / 1e9;
  const double bytes = static_cast<double>(f.bytes);
  const double gb = bytes / 1e9;
  const auto rate = [&](double value) { return seconds > 0 ? value / seconds : 0; };
  const auto per_gb = [&](uint64_t ns) { return gb > 0 ? static_cast<double>(ns) / 1e9 / gb : 0; };
  const auto us = [](double ns) { return ns / 1e3; };
  std::fprintf(out, "\"seconds\":%.6f,\"bytes\":%" PRIu64 ",\"messages\":%" PRIu64, seconds, f.bytes,
               f.messages);
  std::fprintf(out, ",\"goodputGbps\":%.6f,\"messagesPerSecond\":%.3f", rate(bytes * 8 / 1e9),
               rate(static_cast<double>(f.messages)));
  std::fprintf(
      out,
      ",\"latencyUs\":{\"count\":%" PRIu64
      ",\"min\":%.3f,\"mean\":%.3f,\"p50\":%.3f,\"p90\":%.3f,\"p99\":%.3f,\"p999\":%.3f,\"max\":%.3f}",
      f.latency.count, us(static_cast<double>(f.latency.min)), us(f.latency.mean),
      us(static_cast<double>(f.latency.p50)), us(static_cast<double>(f.latency.p90)),
      us(static_cast<double>(f.latency.p99)), us(static_cast<double>(f.latency.p999)),
      us(static_cast<double>(f.latency.max)));
  std::fprintf(out, ",\"cpuSeconds\":{\"app\":%.6f,\"nic\":%.6f,\"kernel\":%.6f}",
               static_cast<double>(f.cpu.app_ns) / 1e9, static_cast<double>(f.cpu.nic_ns) / 1e9,
               static_cast<double>(f.cpu.kernel_ns) / 1e9);
  std::fprintf(out, ",\"cpuSecondsPerGB\":{\"app\":%.6f,\"nic\":%.6f,\"kernel\":%.6f}", per_gb(f.cpu.app_ns),
               per_gb(f.cpu.nic_ns), per_gb(f.cpu.kernel_ns));
  std::fprintf(out, ",\"contextSwitches\":{\"voluntary\":%" PRIu64 ",\"involuntary\":%" PRIu64 "}",
               f.cpu.thread.voluntary, f.cpu.thread.involuntary);
  std::fprintf(out, ",\"counters\":{");
  const char* comma = "";
  for (const auto& [name, value] : f.counters) {
    if (value == 0) continue;
    std::fprintf(out, "%s\"%s\":%" PRIu64, comma, name.c_str(), value);
    comma = ",";
  }
  std::fprintf(out, "}");
}

}  // namespace

void print_series(const vlbench::Figures& figures) {
  std::fprintf(stderr, "{\"seq\":%" PRIu64 ",\"t\":%.6f,\"omitted\":%s,", figures.seq,
               static_cast<double>(figures.t_ns) / 1e9, figures.omitted ? "true" : "false");
  print_figures(stderr, figures);
  std::fprintf(stderr, "}\n");
}

void print_result(const Args& args, const Ended& ended) {
  const char* transport = args.transport == Transport::kRdma  ? "rdma"
                          : args.transport == Transport::kTcp ? "tcp"
                                                              : "udp";
  std::printf(
      "{\"transport\":\"%s\",\"role\":\"%s\",\"reason\":\"%s\",\"drained\":%s,\"latencyKind\":\"%s\",",
      transport, args.host.empty() ? "target" : "initiator", kReasons[static_cast<int>(ended.outcome.reason)],
      ended.outcome.drained ? "true" : "false", kKinds[static_cast<int>(ended.outcome.latency_kind)]);
  print_figures(stdout, ended.outcome.totals);
  std::printf("}\n");
}

void print_failure(const vlbench::Failure& failure) {
  const std::string detail = failure.detail.empty() ? "" : " (" + failure.detail + ")";
  if (failure.wc_status != 0) {
    std::fprintf(stderr, "vlloop: a %s%s completed with status %d, vendor error %u\n", failure.call.c_str(),
                 detail.c_str(), failure.wc_status, failure.vendor_error);
  } else {
    std::fprintf(stderr, "vlloop: %s%s: %s\n", failure.call.c_str(), detail.c_str(),
                 std::strerror(failure.error_number));
  }
}

}  // namespace vlloop
