#include "sim/scenario/read.h"

#include <functional>

#include "sim/scenario/fields.h"

namespace vlsim {
namespace {

constexpr uint64_t kMostBytes = 1ull << 42;
constexpr uint64_t kMostFlows = 1'000'000;
// Numbers in microseconds, Gb/s and so on, as multipliers of what is kept.
constexpr uint64_t kMbps = 1000, kPpb = 1'000'000'000;

void read_topology(Fields& f, Topology* t) {
  using K = TopologyKind;
  f.word<K>("kind", &t->kind,
            {{"back-to-back", K::back_to_back},
             {"star", K::star},
             {"leaf-spine", K::leaf_spine},
             {"fat-tree", K::fat_tree},
             {"rail", K::rail},
             {"ring", K::ring}});
  f.number("hosts", &t->hosts, 1, 4095);
  f.number("leaves", &t->leaves, 1, 1024);
  f.number("spines", &t->spines, 0, 1024);
  f.number("hosts_per_switch", &t->per_switch, 1, 4095);
  f.number("arity", &t->arity, 2, 24);
  f.number("rails", &t->rails, 1, 256);
  f.number("switches", &t->switches, 2, 1024);
  f.boolean("clockwise", &t->clockwise);
  f.boolean("same_hash_seed", &t->same_seed);
}

void read_link(Fields& f, LinkSettings* l) {
  f.number("rate_gbps", &l->rate.mbps, 1, 1600, kMbps);
  f.number("delay_ns", &l->delay, 0, 100'000'000, kNs);
  f.number("pause_reaction_ns", &l->pause_reaction, 0, 1'000'000, kNs);
  f.number("loss", &l->loss_ppb, 0, 1, kPpb);
  f.number("lose_every", &l->lose_every, 0, 1'000'000'000);
  f.number("lose_acks", &l->lose_acks_ppb, 0, 1, kPpb);
}

void read_host(Fields& f, HostSettings* h) {
  f.number("latency_ns", &h->latency, 0, 1'000'000, kNs);
  f.number("receive_gbps", &h->receive.mbps, 0, 1600, kMbps);
  f.number("buffer_bytes", &h->buffer, 10'000, kMostBytes);
  f.number("xoff_bytes", &h->xoff, 0, kMostBytes);
  f.number("xon_bytes", &h->xon, 0, kMostBytes);
  f.number("data_class", &h->data_class, 0, 7);
  f.number("ack_class", &h->ack_class, 0, 7);
  f.number("cnp_class", &h->cnp_class, 0, 7);
  f.boolean("obeys_pause", &h->obeys_pause);
  f.boolean("sends_pause", &h->sends_pause);
}

void read_switch(Fields& f, SwitchSettings* s, uint8_t data_class) {
  f.number("buffer_bytes", &s->buffer.shared, 0, kMostBytes);
  f.number("alpha", &s->buffer.alpha, 0, 64, 1024);
  f.number("lossy_alpha", &s->buffer.lossy_alpha, 0, 64, 1024);
  f.number("latency_ns", &s->latency, 0, 1'000'000, kNs);
  f.boolean("cut_through", &s->cut_through);
  f.word<Spread>("spread", &s->spread, {{"ecmp", Spread::ecmp}, {"spray", Spread::spray}});
  bool pfc = false;
  f.boolean("pfc", &pfc);
  if (pfc) s->buffer.lossless = 1u << data_class;
  f.number("reserve_bytes", &s->buffer.reserve, 0, kMostBytes);
  f.number("headroom_bytes", &s->buffer.headroom, 0, kMostBytes);
  f.number("xoff_bytes", &s->buffer.static_xoff, 0, kMostBytes);
  f.number("xon_offset_bytes", &s->buffer.xon_offset, 0, kMostBytes);
  f.number("pause_quanta", &s->pause_quanta, 1, 65535);
  f.object("ecn", [&](Fields& e) {
    s->ecn.on = true;
    e.number("kmin_bytes", &s->ecn.low, 0, kMostBytes);
    e.number("kmax_bytes", &s->ecn.high, 0, kMostBytes);
    e.number("pmax", &s->ecn.share_ppm, 0, 1, 1'000'000);
    e.boolean("at_enqueue", &s->ecn.at_enqueue);
    if (s->ecn.high < s->ecn.low) e.fail("kmax_bytes", "must not be below kmin_bytes");
  });
  f.object("watchdog", [&](Fields& w) {
    w.number("detect_us", &s->watchdog.detect, 1, 10'000'000, kUs);
    w.number("restore_us", &s->watchdog.restore, 1, 10'000'000, kUs);
    w.boolean("drops", &s->watchdog.drops);
  });
}

enum class Law : uint8_t { none, dcqcn_paper, dcqcn_nic, dcqcn_ns3, swift, timely };

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
               {"timely", Law::timely}});
  rdma::TimelyParameters timely;
  timely.line_rate = line;
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
      t->policy.congestion = timely;
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

void read_change(Fields& f, Change* c, uint32_t hosts) {
  f.number("at_us", &c->at, 0, 100'000'000, kUs);
  f.number("host", &c->host, 0, hosts - 1);
  f.number("switch", &c->node, 0, 100'000);
  bool flag = false;
  const auto number = [&](const char* name, Change::Kind kind, uint64_t high, uint64_t multiplier) {
    if (!f.has(name)) return;
    c->kind = kind;
    f.number(name, &c->value, 0, high, multiplier);
  };
  const auto boolean = [&](const char* name, Change::Kind kind) {
    if (!f.has(name)) return;
    c->kind = kind;
    f.boolean(name, &flag);
    c->value = flag;
  };
  boolean("link_up", Change::Kind::link_up);
  boolean("ecn", Change::Kind::ecn);
  number("link_gbps", Change::Kind::link_rate, 1600, kMbps);
  number("loss", Change::Kind::link_loss, 1, kPpb);
  number("receive_gbps", Change::Kind::receive_rate, 1600, kMbps);
  number("window_bytes", Change::Kind::window, 1u << 30, 1);
  number("alpha", Change::Kind::alpha, 64, 1024);
  f.exactly_one({"link_up", "link_gbps", "loss", "receive_gbps", "window_bytes", "ecn", "alpha"});
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

// hosts: called once the topology is read; 0 if it cannot be, and then nothing more is read.
void read_all(Fields& f, Scenario* s, const std::function<uint32_t()>& count_hosts) {
  f.text("name", &s->name);
  f.number("seed", &s->seed, 0, 1'000'000'000'000);
  f.number("duration_us", &s->duration, 1, 100'000'000, kUs);
  f.boolean("until_done", &s->until_done);
  f.number("sample_us", &s->sample, 0, 100'000'000, kUs);
  f.number("sample_flows", &s->sample_flows, 0, 1024);
  f.number("sample_links", &s->sample_links, 0, 4096);
  f.object("topology", [&](Fields& t) { read_topology(t, &s->topology); });
  const uint32_t hosts = count_hosts();
  if (hosts == 0) return;
  f.object("link", [&](Fields& l) { read_link(l, &s->links.host); });
  s->links.uplink = s->links.host;
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
    flows += flows_of(traffic, hosts);
    if (flows > kMostFlows)
      t.fail("", "makes it " + std::to_string(flows) + " flows (limit " + std::to_string(kMostFlows) + ")");
    s->traffic.push_back(traffic);
  });
  f.each(
      "changes", 1024,
      [&](Fields& c) {
        Change change{};
        read_change(c, &change, hosts);
        s->changes.push_back(change);
      },
      false);
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
  read_all(f, &s, [] { return kMostHosts; });
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
    return error.empty() ? host_count(s.topology) : 0;
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
