// Changes of a scenario while it runs.
#include <algorithm>

#include "sim/scenario/parts.h"

namespace vlsim {
namespace {

using Kind = Change::Kind;

struct Member {
  const char* name;
  Kind kind;
  uint64_t high;  // 0: true or false
  uint64_t multiplier;
};
constexpr Member kMembers[] = {{"link_up", Kind::link_up, 0, 1},
                               {"link_gbps", Kind::link_rate, 1600, kMbps},
                               {"loss", Kind::link_loss, 1, kPpb},
                               {"lose_every", Kind::lose_every, 1'000'000'000, 1},
                               {"lose_acks", Kind::lose_acks, 1, kPpb},
                               {"receive_gbps", Kind::receive_rate, 1600, kMbps},
                               {"window_bytes", Kind::window, 1u << 30, 1},
                               {"ecn", Kind::ecn, 0, 1},
                               {"alpha", Kind::alpha, 64, 1024},
                               {"route_to", Kind::route, kMostSwitches - 1, 1}};

bool linked(const Topology& topology, uint32_t one, uint32_t other) {
  bool found = false;
  each_uplink(topology,
              [&](uint32_t a, uint32_t b) { found |= std::minmax(a, b) == std::minmax(one, other); });
  return found;
}

}  // namespace

const char* name_of(Kind kind) {
  for (const Member& member : kMembers) {
    if (member.kind == kind) return member.name;
  }
  return "";
}

void read_change(Fields& f, Change* c, const Topology& topology, const Extent& extent) {
  f.number("at_us", &c->at, 0, 100'000'000, kUs);
  f.number("host", &c->host, 0, extent.hosts - 1);
  if (extent.switches == 0 && f.has("switch")) f.fail("switch", "does not exist: the topology has no switch");
  if (extent.switches != 0) f.number("switch", &c->node, 0, extent.switches - 1);
  if (extent.switches == 0 && f.has("peer")) f.fail("peer", "does not exist: the topology has no switch");
  if (extent.switches != 0) f.number("peer", &c->peer, 0, extent.switches - 1);
  std::vector<std::string_view> names;
  for (const Member& member : kMembers) {
    names.push_back(member.name);
    if (!f.has(member.name)) continue;
    c->kind = member.kind;
    if (member.high != 0) {
      f.number(member.name, &c->value, 0, member.high, member.multiplier);
    } else {
      bool flag = false;
      f.boolean(member.name, &flag);
      c->value = flag;
    }
  }
  f.exactly_one(names);
  const auto neighbors = [&](const char* member, uint64_t other) {
    if (c->node == kNone) return f.fail(member, "needs switch");
    if (!linked(topology, c->node, static_cast<uint32_t>(other)))
      f.fail(member, "must be a switch that has a link to switch " + std::to_string(c->node));
  };
  if (c->peer != kNone) neighbors("peer", c->peer);
  if (c->kind != Kind::route) return;
  if (c->host == kNone) f.fail("route_to", "needs host");
  if (c->value != c->node) neighbors("route_to", c->value);
}

}  // namespace vlsim
