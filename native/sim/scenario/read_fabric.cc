// Topology, links, hosts and switches of a scenario.
#include "sim/scenario/parts.h"

namespace vlsim {

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
  f.boolean("loop", &t->loop);
  if (t->loop && (t->kind != K::ring || !t->clockwise)) f.fail("loop", "needs a ring, and clockwise");
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
  f.number("ttl", &h->hops, 1, 255);
  f.boolean("obeys_pause", &h->obeys_pause);
  f.boolean("sends_pause", &h->sends_pause);
}

// What is said of one traffic class at every switch.
static void read_class(Fields& f, SwitchSettings* s) {
  uint32_t cls = kNone;
  f.number("class", &cls, 0, kClasses - 1);
  const auto bit = [&](const char* name, uint32_t* bits) {
    bool set = false;
    if (!f.has(name)) return;
    f.boolean(name, &set);
    if (cls != kNone) *bits = set ? *bits | 1u << cls : *bits & ~(1u << cls);
  };
  bit("strict", &s->strict);
  bit("pfc", &s->buffer.lossless);
  uint32_t weight = cls == kNone ? 1 : s->weights[cls];
  f.number("weight", &weight, 1, 1000);
  if (cls == kNone) return f.fail("class", "is needed");
  s->weights[cls] = weight;
}

void read_switch(Fields& f, SwitchSettings* s, uint8_t data_class) {
  f.number("buffer_bytes", &s->buffer.shared, 0, kMostBytes);
  f.number("alpha", &s->buffer.alpha, 0, 64, 1024);
  f.number("lossy_alpha", &s->buffer.lossy_alpha, 0, 64, 1024);
  f.number("latency_ns", &s->latency, 0, 1'000'000, kNs);
  f.boolean("cut_through", &s->cut_through);
  f.word<Spread>("spread", &s->spread,
                 {{"ecmp", Spread::ecmp}, {"spray", Spread::spray}, {"static", Spread::fixed}});
  bool pfc = false;
  f.boolean("pfc", &pfc);
  if (pfc) s->buffer.lossless = 1u << data_class;
  f.each("classes", kClasses, [&](Fields& c) { read_class(c, s); }, false);
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
    e.number("average", &s->ecn.weight, 0, 1, EcnSettings::kInstantaneous);
    if (s->ecn.weight == 0) e.fail("average", "must be above 0: the weight of a packet that arrives");
    if (s->ecn.high < s->ecn.low) e.fail("kmax_bytes", "must not be below kmin_bytes");
  });
  f.object("watchdog", [&](Fields& w) {
    w.number("detect_us", &s->watchdog.detect, 1, 10'000'000, kUs);
    w.number("restore_us", &s->watchdog.restore, 1, 10'000'000, kUs);
    w.boolean("drops", &s->watchdog.drops);
  });
}

}  // namespace vlsim
