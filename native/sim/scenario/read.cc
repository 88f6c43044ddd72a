#include "sim/scenario/read.h"

#include <functional>

#include "sim/scenario/parts.h"

namespace vlsim {
namespace {

constexpr uint64_t kMostFlows = 1'000'000;

enum class Law : uint8_t { none, dcqcn_paper, dcqcn_nic, dcqcn_ns3, swift, timely, timely_patched };

// line: bits per second.
void read_policy(Fields& f, TransportSettings* t, uint64_t line) {
  namespace rdma = uroce::transport;
  f.word<rdma::RecoveryKind>("recovery", &t->policy.recovery,
                             {{"go-back-n", rdma::RecoveryKind::go_back_n},
                              {"go-back-0", rdma::RecoveryKind::go_back_0},
                              {"selective-repeat", rdma::RecoveryKind::selective_repeat}});
  f.number("reorder_packets", &t->reorder_packets, 0, 4096);
  Law law = Law::none;
  f.word<Law>("congestion", &law,
              {{"none", Law::none},
               {"dcqcn-paper", Law::dcqcn_paper},
               {"dcqcn-nic", Law::dcqcn_nic},
               {"dcqcn-ns3", Law::dcqcn_ns3},
               {"swift", Law::swift},
               {"timely", Law::timely},
               {"timely-patched", Law::timely_patched}});
  switch (law) {
    case Law::none:
      break;
    case Law::dcqcn_paper:
      t->policy.congestion = rdma::DcqcnParameters::paper(line);
      break;
    case Law::dcqcn_nic:
      t->policy.congestion = rdma::DcqcnParameters::nic(line);
      break;
    case Law::dcqcn_ns3:
      t->policy.congestion = rdma::DcqcnParameters::ns3(line);
      break;
    case Law::swift:
      t->policy.congestion = rdma::SwiftParameters{};
      break;
    case Law::timely:
      t->policy.congestion = rdma::TimelyParameters::paper(line);
      break;
    case Law::timely_patched:
      t->policy.congestion = rdma::TimelyParameters::with_patch(line);
      break;
  }
  if (!t->policy.valid()) f.fail("congestion", "does not work at this rate");
  f.number("timeout_window_cut", &t->timeout_window_cut, 1, 1024);
  f.number("timeout_stretch", &t->timeout_stretch, 0, 2);
}

void read_transport(Fields& f, TransportSettings* t) {
  f.number("mtu", &t->connection.mtu, 256, 4096);
  f.only("mtu", t->connection.mtu, {256, 512, 1024, 2048, 4096});
  f.number("timeout", &t->connection.timeout, 0, 31);
  f.number("retries", &t->connection.retries, 0, 7);
  f.number("depth", &t->connection.depth, 1, 1024);
  f.number("reads", &t->connection.reads, 0, 128);
  f.number("window_bytes", &t->window_bytes, 256, 1u << 30);
  f.number("host_window_bytes", &t->host_window_bytes, 256, kMostBytes);
  f.number("acks_per_window", &t->acks_per_window, 1, 1024);
  f.number("message_bytes", &t->message_bytes, 1, Host::kMemory);
  f.number("qps", &t->qps, 1, 64);
  f.number("cnp_interval_us", &t->cnp_interval_ns, 0, 10'000, 1000);
  f.number("ack_every", &t->policy.ack_every, 0, 1'000'000);
  uint64_t ack_delay = 0;  // ns
  f.number("ack_delay_us", &ack_delay, 0, 1'000'000, 1000);
  if (ack_delay != 0) t->policy.ack_delay_ns = ack_delay;
}

void read_traffic(Fields& f, TrafficSettings* t, uint32_t hosts) {
  using K = TrafficKind;
  f.word<K>("kind", &t->kind,
            {{"flow", K::flows},
             {"incast", K::incast},
             {"permutation", K::permutation},
             {"all-to-all", K::all_to_all},
             {"ring-all-reduce", K::ring_all_reduce},
             {"tree-all-reduce", K::tree_all_reduce},
             {"storage", K::storage},
             {"raw", K::raw}});
  f.number("bytes", &t->bytes, 1, kMostBytes);
  f.number("start_us", &t->start, 0, 100'000'000, kUs);
  f.number("jitter_us", &t->jitter, 0, 1'000'000, kUs);
  f.number("from", &t->from, 0, hosts - 1);
  f.number("to", &t->to, 0, hosts - 1);
  f.number("senders", &t->senders, 1, hosts - 1);
  f.number("count", &t->count, 1, 1024);
  f.boolean("read", &t->read);
  std::string_view sizes;
  f.word<std::string_view>("sizes", &sizes,
                           {{"web_search", "web_search"},
                            {"hadoop", "hadoop"},
                            {"ali_storage", "ali_storage"},
                            {"google_rpc", "google_rpc"}});
  if (!sizes.empty()) t->sizes = SizeDistribution::named(sizes);
  f.number("load", &t->load_permille, 0, 2, 1000);
  f.number("reads", &t->read_permille, 0, 1, 1000);
  f.number("flows", &t->flows, 0, 1'000'000);
  f.number("packet_bytes", &t->packet, 84, 9216);
  f.number("rate_gbps", &t->rate.mbps, 0, 1600, kMbps);
  f.boolean("poisson", &t->poisson);
  f.boolean("random_sizes", &t->random_sizes);
  f.number("on_us", &t->on, 0, 10'000'000, kUs);
  f.number("off_us", &t->off, 0, 10'000'000, kUs);
  f.number("packets", &t->packets, 0, 1'000'000'000);
  f.number("class", &t->cls, 0, 7);
  f.boolean("ecn", &t->ecn);
  if (t->kind == K::raw && t->rate.mbps == 0) f.fail("rate_gbps", "is needed for raw packets");
  if ((t->kind == K::flows || t->kind == K::raw) && t->from == t->to)
    f.fail("to", "must be another host than from");
  const bool ends = t->kind == K::ring_all_reduce || t->kind == K::tree_all_reduce;
  if (ends && t->bytes == kEndless) f.fail("bytes", "is needed for an all-reduce");
  if (t->kind == K::storage && t->bytes == kEndless && !t->sizes)
    f.fail("sizes", "or bytes is needed for storage");
}

// Flows that bulk traffic begins with. Each needs a connection, or its turn on one.
uint64_t flows_of(const TrafficSettings& t, uint64_t hosts) {
  switch (t.kind) {
    case TrafficKind::all_to_all:
      return hosts * (hosts - 1) * t.count;
    case TrafficKind::incast:
    case TrafficKind::permutation:
      return hosts * t.count;
    default:
      return t.count;
  }
}

// Traffic whose packets cannot get where they are to go.
void refuse_without_route(Fields& f, const TrafficSettings& t, const Topology& topology) {
  using K = TrafficKind;
  uint32_t from = 0, to = 1;  // in all other kinds each host, or a random one, sends to its neighbor
  if (t.kind == K::flows || t.kind == K::raw) {
    from = t.from;
    to = t.to;
  } else if (t.kind == K::incast) {
    to = t.to;
    const uint32_t hosts = host_count(topology);
    for (uint32_t made = 0; from < hosts && reaches(topology, from, to); ++from) {
      if (from != to && ++made == t.senders) return;
    }
    if (from == hosts) return;
  }
  if (!reaches(topology, from, to))
    f.fail("", "has no route from host " + std::to_string(from) + " to host " + std::to_string(to) +
                   ": they are on different rails, and there are no spines");
}

// measure: called once the topology is read; no hosts if it cannot be, and then nothing more is read.
void read_all(Fields& f, Scenario* s, const std::function<Extent()>& measure) {
  f.text("name", &s->name);
  f.number("seed", &s->seed, 0, 1'000'000'000'000);
  f.number("duration_us", &s->duration, 1, 100'000'000, kUs);
  f.boolean("until_done", &s->until_done);
  f.number("sample_us", &s->sample, 0, 100'000'000, kUs);
  f.number("sample_flows", &s->sample_flows, 0, 1024);
  f.number("sample_links", &s->sample_links, 0, 4096);
  f.object("topology", [&](Fields& t) { read_topology(t, &s->topology); });
  const Extent extent = measure();
  const uint32_t hosts = extent.hosts;
  if (hosts == 0) return;
  f.object("link", [&](Fields& l) { read_link(l, &s->links.host); });
  s->links.uplink = s->links.host;
  s->own_uplink = f.has("uplink");
  f.object("uplink", [&](Fields& l) { read_link(l, &s->links.uplink); }, false);
  f.object("host", [&](Fields& h) { read_host(h, &s->host); });
  f.object("switch", [&](Fields& at) { read_switch(at, &s->at, s->host.data_class); });
  f.object("transport", [&](Fields& t) {
    read_transport(t, &s->transport);
    read_policy(t, &s->transport, s->links.host.rate.mbps * 1'000'000);
  });
  uint64_t flows = 0;
  f.each("traffic", 64, [&](Fields& t) {
    TrafficSettings traffic;
    read_traffic(t, &traffic, hosts);
    refuse_without_route(t, traffic, s->topology);
    flows += flows_of(traffic, hosts);
    if (flows > kMostFlows)
      t.fail("", "makes it " + std::to_string(flows) + " flows (limit " + std::to_string(kMostFlows) + ")");
    s->traffic.push_back(traffic);
  });
  f.each(
      "changes", 1024,
      [&](Fields& c) {
        Change change{};
        read_change(c, &change, s->topology, extent);
        s->changes.push_back(change);
      },
      false);
  f.object("limits", [&](Fields& l) {
    l.number("events", &s->limits.events, 0, 1'000'000'000'000);
    l.number("memory_mib", &s->limits.memory, 16, 1 << 20, 1 << 20);
  });
  f.object("stop_at", [&](Fields& t) {
    t.boolean("drop", &s->stop.drop);
    t.boolean("pause", &s->stop.pause);
    t.boolean("timeout", &s->stop.timeout);
    t.number("queue_bytes", &s->stop.queue_above, 1, kMostBytes);
  });
}

}  // namespace

std::string scenario_schema() {
  Scenario s;
  ObjectSchema schema;
  Fields f(&schema);
  read_all(f, &s, [] { return Extent{kMostHosts, kMostSwitches}; });
  return R"({"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Scenario of the fabric simulator",)" +
         schema.whole() + "}\n";
}

std::expected<Scenario, std::string> read_scenario(std::string_view json) {
  const auto value = parse_json(json);
  if (!value) return std::unexpected(value.error());
  Scenario s;
  std::string error;
  Fields f(*value, "", &error);
  read_all(f, &s, [&] {
    if (error.empty()) error = refused(s.topology);
    return error.empty() ? Extent{host_count(s.topology), switch_count(s.topology)} : Extent{};
  });
  f.end();
  if (!error.empty()) return std::unexpected(error);
  for (const TrafficSettings& t : s.traffic) {
    const bool notifies = t.kind == TrafficKind::ring_all_reduce || t.kind == TrafficKind::tree_all_reduce;
    if (notifies) s.transport.connection.receives = std::max(s.transport.connection.receives, 8u);
    const bool reads = t.read || (t.kind == TrafficKind::storage && t.read_permille != 0);
    if (reads && s.transport.connection.reads == 0) s.transport.connection.reads = 16;
  }
  return s;
}

}  // namespace vlsim
