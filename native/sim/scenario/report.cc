#include "sim/scenario/report.h"

#include <algorithm>

#include "sim/scenario/json.h"
#include "sim/scenario/notes.h"
#include "sim/scenario/sums.h"

namespace vlsim {

Totals totals(const Simulation& run) {
  const Fabric& f = run.fabric();
  Totals t;
  std::vector<uint64_t> times;
  std::vector<uint64_t> progress;
  bool endless = false;
  for (const Flow& flow : run.flows().all()) endless |= flow.bytes == kEndless;
  for (const Flow& flow : run.flows().all()) {
    t.bytes += flow.done;
    if (flow.failed) {
      ++t.failed;
    } else if (flow.done == flow.bytes) {
      ++t.finished;
      times.push_back(flow.finished - flow.created);
      t.last_finish = std::max(t.last_finish, flow.finished);
    } else {
      ++t.unfinished;
    }
    if (!endless || flow.bytes == kEndless) progress.push_back(flow.done);
  }
  std::sort(times.begin(), times.end());
  if (!times.empty()) {
    uint64_t sum = 0;
    for (const uint64_t one : times) sum += one / kNs;
    const auto at = [&](uint64_t percent) { return times[(times.size() - 1) * percent / 100]; };
    t.fct_mean = sum / times.size() * kNs;
    t.fct_p50 = at(50);
    t.fct_p95 = at(95);
    t.fct_p99 = at(99);
    t.fct_max = times.back();
  }
  // In KiB, so that squares of many flows fit.
  uint64_t sum = 0, squares = 0;
  for (const uint64_t bytes : progress) {
    const uint64_t k = std::min<uint64_t>(bytes >> 10, 1u << 24);
    sum += k;
    squares += k * k;
  }
  if (squares != 0 && sum < 1ull << 32)
    t.fairness_millionths = static_cast<uint32_t>(sum * sum / progress.size() * 1000 / (squares / 1000 + 1));
  t.fairness_millionths = std::min(t.fairness_millionths, 1'000'000u);
  // What a host receives is no goodput: the same bytes may come again.
  uint64_t useful = t.bytes;
  for (const auto& host : f.hosts) useful += host->raw_received();
  if (f.now() >= kNs) t.goodput_mbps = useful * 8000 / (f.now() / kNs);
  using C = uroce::transport::Counters;
  t.cnps = sum_counters(f, &C::np_cnp_sent);
  t.timeouts = sum_counters(f, &C::local_ack_timeout_err);
  t.retransmitted = sum_counters(f, &C::retransmitted_pkts);
  t.naks = sum_counters(f, &C::naks_sent);
  for (const auto& port : f.ports) {
    for (const uint64_t n : port->dropped) t.drops += n;
    t.marked += port->marked;
    for (uint32_t cls = 0; cls < kClasses; ++cls) {
      t.pauses += port->pauses_sent[cls];
      t.paused += port->paused_time(cls, f.now());
      if (!port->host) t.most_queue = std::max(t.most_queue, port->queues[cls].most_bytes);
    }
  }
  return t;
}

std::string scenario_line(const Simulation& run) {
  const Scenario& s = run.scenario();
  const Fabric& f = run.fabric();
  const Time rtt = base_rtt(s, f.switches.empty() ? 0 : 1);
  return JsonLine("scenario")
      .text("name", s.name)
      .number("seed", s.seed)
      .number("hosts", f.hosts.size())
      .number("switches", f.switches.size())
      .number("links", f.ports.size() / 2)
      .decimal("rtt_us", rtt, 6)
      .number("bdp_bytes", s.links.host.rate.bytes_in(rtt))
      .end();
}

Time ideal_time(const Simulation& run, const Flow& flow) {
  const Scenario& s = run.scenario();
  const uint64_t mtu = s.transport.connection.mtu;
  const uint64_t packets = (flow.bytes + mtu - 1) / mtu;
  const uint64_t link_bytes = flow.bytes + packets * 82;
  const Time alone = base_rtt(s, run.fabric().hops(flow.poster, flow.peer));
  const Rate rate = s.links.host.rate;
  return alone + rate.of(link_bytes) - rate.of(std::min(link_bytes, mtu + 82));
}

std::string flow_line(const Simulation& run, uint32_t number) {
  const Flow& flow = run.flows().all()[number];
  JsonLine line("flow");
  line.number("flow", number).number("from", flow.read ? flow.peer : flow.poster);
  line.number("to", flow.read ? flow.poster : flow.peer).number("done_bytes", flow.done);
  if (flow.bytes != kEndless) line.number("bytes", flow.bytes);
  line.decimal("created_us", flow.created, 6);
  if (flow.bytes == flow.done) {
    const Time time = flow.finished - flow.created, ideal = ideal_time(run, flow);
    line.decimal("time_us", time, 6).decimal("slowdown", std::max(time * 1000 / ideal, Time{1000}), 3);
  }
  if (flow.failed) line.boolean("failed", true);
  return line.end();
}

std::string mechanism_line(const Mechanism& m) {
  JsonLine line("mechanism");
  line.text("name", m.name).number("fired", m.fired);
  if (m.limit != 0) line.number("reached", m.reached).number("limit", m.limit);
  return line.text("says", m.says).end();
}

std::string result_line(const Simulation& run, const Laws& laws) {
  const Fabric& f = run.fabric();
  const Totals t = totals(run);
  JsonLine line("result");
  line.decimal("us", f.now(), 6);
  if (!f.stopped_because().empty()) line.text("stopped_by", f.stopped_because());
  if (!f.error().empty()) line.text("error", f.error());
  line.number("flows_finished", t.finished)
      .number("flows_failed", t.failed)
      .number("flows_unfinished", t.unfinished);
  line.number("bytes_acknowledged", t.bytes).decimal("goodput_gbps", t.goodput_mbps, 3);
  if (t.finished != 0) {
    line.decimal("last_finish_us", t.last_finish, 6).open("flow_time_us", '{');
    line.decimal("mean", t.fct_mean, 6).decimal("p50", t.fct_p50, 6).decimal("p95", t.fct_p95, 6);
    line.decimal("p99", t.fct_p99, 6).decimal("max", t.fct_max, 6).close('}');
  }
  if (t.fairness_millionths != 0) line.decimal("fairness", t.fairness_millionths, 6);
  line.number("queue_max_bytes", t.most_queue).number("marked", t.marked).number("cnps", t.cnps);
  line.number("pauses", t.pauses).decimal("paused_us", t.paused, 6).number("timeouts", t.timeouts);
  line.number("naks", t.naks).number("retransmitted", t.retransmitted).open("drops", '{');
  for (uint32_t i = 0; i < kDropReasons; ++i)
    line.number(kDropReasonNames[i], drops_for(f, DropReason{static_cast<uint8_t>(i)}));
  line.close('}').open("packets", '{');
  constexpr std::pair<const char*, PacketKind> kKinds[] = {{"data", PacketKind::data},
                                                           {"ack", PacketKind::ack},
                                                           {"cnp", PacketKind::cnp},
                                                           {"raw", PacketKind::raw},
                                                           {"pause", PacketKind::pause}};
  for (const auto& [name, kind] : kKinds) {
    const Fabric::Tally& tally = f.tally(kind);
    line.open(name, '{').number("made", tally.made).number("delivered", tally.delivered);
    line.number("dropped", tally.dropped).close('}');
  }
  line.close('}').number("events", f.events.pushed()).number("packet_events", f.packet_events());
  line.open("notes", '[');
  for (const std::string& note : notes(run)) line.text("", note);
  line.close(']').open("laws", '{').number("checked", laws.checked).open("broken", '[');
  for (const std::string& sentence : laws.broken) line.text("", sentence);
  line.close(']').close('}');
  return line.hex("trace", f.trace()).end();
}

}  // namespace vlsim
