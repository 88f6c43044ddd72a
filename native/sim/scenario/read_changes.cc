// Changes of a scenario while it runs.
#include <iterator>

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
                               {"receive_gbps", Kind::receive_rate, 1600, kMbps},
                               {"window_bytes", Kind::window, 1u << 30, 1},
                               {"ecn", Kind::ecn, 0, 1},
                               {"alpha", Kind::alpha, 64, 1024}};

}  // namespace

const char* name_of(Kind kind) {
  for (const Member& member : kMembers) {
    if (member.kind == kind) return member.name;
  }
  return "";
}

void read_change(Fields& f, Change* c, const Topology& topology, const Extent& extent) {
  (void)topology;
  f.number("at_us", &c->at, 0, 100'000'000, kUs);
  f.number("host", &c->host, 0, extent.hosts - 1);
  if (extent.switches == 0 && f.has("switch")) f.fail("switch", "does not exist: the topology has no switch");
  if (extent.switches != 0) f.number("switch", &c->node, 0, extent.switches - 1);
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
}

}  // namespace vlsim
