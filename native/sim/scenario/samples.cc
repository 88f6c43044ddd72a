#include "sim/scenario/samples.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/scenario/json.h"

namespace vlsim {
namespace {

// So many bytes in that time, in Mb/s.
uint64_t mbps(uint64_t bytes, Time time) { return bytes * 8000 / std::max<Time>(time / kNs, 1); }

// What has grown since; go-back-0 takes acknowledgments back.
uint64_t grown(uint64_t now, uint64_t before) { return now > before ? now - before : 0; }

// What congestion control makes of its connection: only what its law has.
void add_congestion(JsonLine& line, const uroce::transport::CongestionState& state, uint32_t mtu) {
  if (state.rate != 0) line.decimal("rate_gbps", state.rate / 1000, 6);
  if (state.target != 0) {
    line.decimal("target_gbps", state.target / 1000, 6);
    line.decimal("alpha", uroce::transport::scale(1'000'000, state.alpha), 6);
  }
  if (state.window != 0) line.number("window_bytes", state.window * mtu / 1000);
  if (state.rtt != 0) line.decimal("rtt_us", state.rtt, 3);
}

}  // namespace

Samples::Samples(const Simulation& run)
    : run_(run), received_(run.fabric().hosts.size()), links_(run.fabric().ports.size()) {}

Samples::Counts Samples::counts() const {
  const Fabric& f = run_.fabric();
  uint64_t marked = 0, drops = 0, pauses = 0, cnps = 0, naks = 0, timeouts = 0, again = 0;
  for (const auto& port : f.ports) {
    marked += port->marked;
    drops = std::accumulate(port->dropped.begin(), port->dropped.end(), drops);
    pauses = std::accumulate(port->pauses_sent.begin(), port->pauses_sent.end(), pauses);
  }
  for (const auto& host : f.hosts) {
    const uroce::transport::Counters& c = host->engine().counters();
    cnps += c.np_cnp_sent;
    naks += c.naks_sent;
    timeouts += c.local_ack_timeout_err;
    again += c.retransmitted_pkts;
  }
  return {marked, drops, pauses, cnps, naks, timeouts, again};
}

Samples::Link Samples::link_now(const Port& port, Time now) {
  Link link;
  // The part of a leaving packet that has not left yet.
  const uint64_t leaving = port.free_at > now ? port.link.rate.bytes_in(port.free_at - now) : 0;
  link.bytes = grown(port.sent_bytes, leaving);
  link.marked = port.marked;
  link.drops = std::accumulate(port.dropped.begin(), port.dropped.end(), uint64_t{0});
  for (uint32_t cls = 0; cls < kClasses; ++cls) link.paused += port.paused_time(cls, now);
  return link;
}

void Samples::add_hosts(JsonLine& line) {
  line.open("received_gbps", '[');
  for (size_t i = 0; i < received_.size(); ++i) {
    const Host& host = *run_.fabric().hosts[i];
    const uint64_t received = host.payload_received() + host.raw_received();
    line.decimal("", mbps(received - received_[i], elapsed_), 3);
    received_[i] = received;
  }
  line.close(']');
}

void Samples::add_queues(JsonLine& line, Time now) const {
  const Fabric& f = run_.fabric();
  line.open("queues", '[');
  for (const auto& port : f.ports) {
    for (uint32_t cls = 0; cls < kClasses; ++cls) {
      if (port->host || port->queues[cls].count == 0) continue;
      line.open("", '[').number("", port->owner).number("", port->number).number("", cls);
      line.number("", port->queues[cls].bytes).close(']');
    }
  }
  line.close(']').open("paused", '[');
  for (const auto& port : f.ports) {
    for (uint32_t cls = 0; cls < kClasses; ++cls) {
      if (!port->paused(cls, now)) continue;
      line.open("", '[').text("", port->host ? "host" : "switch").number("", port->owner);
      line.number("", port->number).number("", cls).close(']');
    }
  }
  line.close(']');
}

// Those that had not finished at the sample before, the lowest numbers first.
void Samples::add_flows(JsonLine& line, Time now) {
  const std::vector<Flow>& all = run_.flows().all();
  for (; flows_known_ < all.size(); ++flows_known_) flows_.push_back({flows_known_});
  line.open("flows", '[');
  for (size_t i = 0; i < flows_.size(); ++i) {
    FlowSeen& seen = flows_[i];
    const Flow& flow = all[seen.number];
    const uint64_t acknowledged = run_.flows().acknowledged(flow);
    const uint64_t before = std::exchange(seen.acknowledged, acknowledged);
    if (i >= run_.scenario().sample_flows) continue;
    line.open("", '{').number("flow", seen.number).number("from", flow.read ? flow.peer : flow.poster);
    line.number("to", flow.read ? flow.poster : flow.peer);
    line.decimal("gbps", mbps(grown(acknowledged, before), elapsed_), 3);
    line.number("acknowledged_bytes", acknowledged);
    if (const uroce::transport::Qp* qp = run_.flows().connection(flow)) {
      line.number("in_flight_bytes", qp->bytes_in_flight());
      add_congestion(line, qp->congestion(now / kNs), run_.scenario().transport.connection.mtu);
    }
    line.close('}');
  }
  line.close(']');
  if (flows_.size() > run_.scenario().sample_flows)
    line.number("flows_left_off", flows_.size() - run_.scenario().sample_flows);
  std::erase_if(flows_, [&](const FlowSeen& seen) {
    const Flow& flow = all[seen.number];
    return flow.failed || flow.done == flow.bytes;
  });
}

// Those by which something went, or which something happened to.
void Samples::add_links(JsonLine& line, Time now) {
  const Fabric& f = run_.fabric();
  uint32_t told = 0, left_off = 0;
  line.open("links", '[');
  for (size_t i = 0; i < links_.size(); ++i) {
    const Port& port = *f.ports[i];
    const Link link = link_now(port, now);
    const Link before = std::exchange(links_[i], link);
    const uint64_t bytes = grown(link.bytes, before.bytes);
    const uint64_t marked = link.marked - before.marked, drops = link.drops - before.drops;
    const Time paused = grown(link.paused, before.paused);
    if (bytes == 0 && marked == 0 && drops == 0 && paused == 0) continue;
    if (told == run_.scenario().sample_links) {
      ++left_off;
      continue;
    }
    ++told;
    line.open("", '{').text("at", port.host ? "host" : "switch").number("number", port.owner);
    line.number("port", port.number);
    const uint64_t share = port.link.rate.of(bytes) * 10'000 / std::max<Time>(elapsed_, 1);
    line.decimal("use", std::min<uint64_t>(share, 10'000), 4);
    if (marked != 0) line.number("marked", marked);
    if (drops != 0) line.number("drops", drops);
    if (paused != 0) line.decimal("paused_us", paused, 6);
    line.close('}');
  }
  line.close(']');
  if (left_off != 0) line.number("links_left_off", left_off);
}

std::string Samples::line(Time now) {
  elapsed_ = now - std::exchange(last_, now);
  JsonLine line("sample");
  line.decimal("us", now, 6);
  add_hosts(line);
  add_queues(line, now);
  const Counts before = std::exchange(counts_, counts());
  for (size_t i = 0; i < kCounts.size(); ++i) line.number(kCounts[i], counts_[i] - before[i]);
  if (run_.scenario().sample_flows != 0) add_flows(line, now);
  if (run_.scenario().sample_links != 0) add_links(line, now);
  return line.end();
}

}  // namespace vlsim
