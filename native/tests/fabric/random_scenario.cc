#include "random_scenario.h"

#include <utility>
#include <vector>

#include "sim/core/random.h"
#include "sim/scenario/json.h"

namespace vlsim {
namespace {

class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(mix(seed)) {}
  RandomScenario make();

 private:
  bool one_in(uint32_t n) { return random_.below(n) == 0; }
  template <size_t N>
  uint64_t of(const uint64_t (&list)[N]) {
    return list[random_.below(N)];
  }
  template <size_t N>
  std::string_view of(const std::string_view (&list)[N]) {
    return list[random_.below(N)];
  }
  void number(const char* name, uint64_t value) { line_.number(name, value); }
  // A value of the list, or the default.
  template <size_t N>
  void maybe(const char* name, const uint64_t (&list)[N]) {
    if (one_in(2)) number(name, of(list));
  }
  void maybe(const char* name) {
    if (one_in(2)) line_.boolean(name, one_in(2));
  }
  void share(const char* name, uint64_t most_ppm) {
    line_.decimal(name, random_.below(static_cast<uint32_t>(most_ppm) + 1), 6);
  }

  void topology();
  void link(const char* name);
  void host();
  void at();
  void transport();
  void traffic(uint32_t entries);
  void entry();
  void changes(uint32_t entries);

  SeededRandom random_;
  JsonLine line_;
  uint32_t hosts_ = 2;
  bool switches_ = true;
  std::vector<std::pair<uint64_t, uint64_t>> uplinks_;  // switches with a link; of some topologies only
};

constexpr uint64_t kBytes[] = {1, 1000, 4096, 65'536, 300'000};

void Maker::topology() {
  line_.open("topology", '{');
  const uint32_t n = 2 + random_.below(3);
  switch (random_.below(6)) {
    case 0:
      line_.text("kind", "back-to-back");
      switches_ = false;
      break;
    case 1:
      hosts_ = 2 + random_.below(12);
      line_.text("kind", "star").number("hosts", hosts_);
      break;
    case 2: {
      const uint32_t each = 1 + random_.below(4), spines = 1 + random_.below(4);
      line_.text("kind", "leaf-spine").number("leaves", n).number("spines", spines);
      for (uint32_t i = 0; i < n * spines; ++i) uplinks_.emplace_back(i / spines, n + i % spines);
      number("hosts_per_switch", each);
      hosts_ = n * each;
      break;
    }
    case 3:
      line_.text("kind", "fat-tree").number("arity", 4);
      hosts_ = 16;
      break;
    case 4: {
      const uint32_t servers = 1 + random_.below(6);
      line_.text("kind", "rail").number("hosts", servers).number("rails", n);
      number("spines", 1 + random_.below(2));
      hosts_ = servers * n;
      break;
    }
    default: {
      const uint32_t each = 1 + random_.below(3);
      line_.text("kind", "ring").number("switches", n).number("hosts_per_switch", each);
      for (uint32_t i = 0; i < n; ++i) uplinks_.emplace_back(i, (i + 1) % n);
      const bool clockwise = one_in(2);
      line_.boolean("clockwise", clockwise);
      if (clockwise && one_in(4)) line_.boolean("loop", true);
      hosts_ = n * each;
    }
  }
  maybe("same_hash_seed");
  line_.close('}');
}

void Maker::link(const char* name) {
  line_.open(name, '{');
  maybe("rate_gbps", {1, 10, 25, 40, 400, 1600});
  maybe("delay_ns", {0, 5, 200, 5000, 100'000});
  maybe("pause_reaction_ns", {0, 2000});
  if (one_in(3)) share("loss", one_in(2) ? 200'000 : 2000);
  if (one_in(4)) share("lose_acks", 200'000);
  if (one_in(5)) number("lose_every", 1 + random_.below(300));
  line_.close('}');
}

void Maker::host() {
  line_.open("host", '{');
  maybe("latency_ns", {0, 1, 1000});
  maybe("receive_gbps", {0, 1, 50, 200});
  maybe("buffer_bytes", {10'000, 100'000});
  maybe("xoff_bytes", {0, 5000, 50'000});
  maybe("xon_bytes", {0, 1000, 60'000});
  maybe("data_class", {0, 1, 3, 6, 7});
  maybe("ack_class", {0, 3, 6});
  maybe("cnp_class", {3, 6, 7});
  maybe("ttl", {1, 2, 5, 255});
  maybe("obeys_pause");
  maybe("sends_pause");
  line_.close('}');
}

void Maker::at() {
  line_.open("switch", '{');
  maybe("buffer_bytes", {0, 5000, 50'000, 300'000, 4'000'000});
  share("alpha", 2'000'000);
  share("lossy_alpha", 2'000'000);
  maybe("latency_ns", {0, 1, 700});
  maybe("cut_through");
  if (one_in(2)) line_.text("spread", of({"spray", "static"}));
  line_.boolean("pfc", !one_in(3));
  maybe("reserve_bytes", {0, 4178, 20'000});
  maybe("headroom_bytes", {0, 4178, 30'000, 200'000});
  maybe("xoff_bytes", {0, 1, 20'000});
  maybe("xon_offset_bytes", {0, 1, 20'000});
  maybe("pause_quanta", {1, 100, 65'535});
  if (one_in(2)) {
    line_.open("ecn", '{');
    const uint64_t low = of({0, 5000, 100'000});
    number("kmin_bytes", low);
    number("kmax_bytes", low + of({0, 1, 200'000}));
    share("pmax", 1'000'000);
    maybe("at_enqueue");
    if (one_in(3)) line_.decimal("average", 1 + random_.below(1000), 3);
    line_.close('}');
  }
  if (one_in(3)) {
    line_.open("classes", '[');
    for (uint32_t left = 1 + random_.below(3); left != 0; --left) {
      line_.open("", '{').number("class", random_.below(8));
      maybe("weight", {1, 2, 1000});
      maybe("strict");
      maybe("pfc");
      line_.close('}');
    }
    line_.close(']');
  }
  if (one_in(3)) {
    line_.open("watchdog", '{').number("detect_us", of({1, 10, 100})).number("restore_us", of({1, 50}));
    maybe("drops");
    line_.close('}');
  }
  line_.close('}');
}

void Maker::transport() {
  line_.open("transport", '{');
  maybe("mtu", {256, 512, 1024, 2048});
  maybe("timeout", {0, 1, 2, 4, 6});
  maybe("retries", {0, 1, 2});
  maybe("depth", {1, 2, 16});
  maybe("window_bytes", {256, 4096, 20'000, 1'000'000});
  maybe("host_window_bytes", {256, 10'000, 500'000});
  maybe("acks_per_window", {1, 2, 64});
  maybe("message_bytes", {1, 1000, 5000, 100'000});
  maybe("qps", {1, 2, 5});
  maybe("cnp_interval_us", {0, 4});
  maybe("timeout_window_cut", {1, 8});
  maybe("timeout_stretch", {0, 1});
  maybe("reorder_packets", {0, 1, 16, 4096});
  maybe("ack_every", {1, 7, 1000});
  maybe("ack_delay_us", {1, 100});
  if (one_in(2)) line_.text("recovery", of({"go-back-n", "go-back-0", "selective-repeat"}));
  if (one_in(2))
    line_.text("congestion",
               of({"none", "dcqcn-paper", "dcqcn-nic", "dcqcn-ns3", "swift", "timely", "timely-patched"}));
  line_.close('}');
}

void Maker::entry() {
  line_.open("", '{');
  const std::string_view kind = of({"flow", "incast", "permutation", "all-to-all", "ring-all-reduce",
                                    "tree-all-reduce", "storage", "raw"});
  const uint32_t from = random_.below(hosts_);
  line_.text("kind", kind).number("from", from).number("to", (from + 1 + random_.below(hosts_ - 1)) % hosts_);
  maybe("start_us", {1, 20});
  if (kind == "raw") {
    line_.decimal("rate_gbps", 1 + random_.below(200'000), 3).number("packet_bytes", of({84, 1000, 9216}));
    maybe("poisson");
    maybe("random_sizes");
    maybe("on_us", {1, 10});
    maybe("off_us", {1, 10});
    maybe("class", {0, 3, 6, 7});
    maybe("ecn");
  } else if (kind == "storage") {
    if (one_in(2)) {
      line_.text("sizes", of({"web_search", "hadoop", "ali_storage", "google_rpc"}));
    } else {
      number("bytes", of(kBytes));
    }
    share("load", 1'000'000);
    share("reads", 1'000'000);
    number("flows", of({1, 50, 2000}));  // without a limit, a fast link begins a flow for each byte
  } else {
    if (kind.ends_with("all-reduce") || one_in(2)) number("bytes", of(kBytes));
    maybe("jitter_us", {1, 30});
    maybe("count", {1, 2, 7});
    if (!kind.ends_with("all-reduce")) maybe("read");
  }
  line_.close('}');
}

void Maker::traffic(uint32_t entries) {
  line_.open("traffic", '[');
  for (uint32_t i = 0; i < entries; ++i) entry();
  line_.close(']');
}

void Maker::changes(uint32_t entries) {
  line_.open("changes", '[');
  for (uint32_t i = 0; i < entries; ++i) {
    line_.open("", '{').number("at_us", random_.below(150));
    if (!uplinks_.empty() && one_in(4)) {
      const auto [one, other] = uplinks_[random_.below(static_cast<uint32_t>(uplinks_.size()))];
      number("switch", one);
      if (one_in(2)) {
        line_.number("host", random_.below(hosts_)).number("route_to", one_in(4) ? one : other);
        line_.close('}');
        continue;
      }
      number("peer", other);
    } else {
      if (one_in(2)) number("host", random_.below(hosts_));
      if (one_in(4) && switches_) number("switch", 0);
    }
    switch (random_.below(9)) {
      case 0:
        line_.boolean("link_up", one_in(2));
        break;
      case 1:
        number("link_gbps", of({0, 1, 10, 400}));
        break;
      case 2:
        share("loss", 1'000'000);
        break;
      case 3:
        number("receive_gbps", of({0, 1, 50}));
        break;
      case 4:
        number("window_bytes", of({0, 256, 10'000, 1'000'000}));
        break;
      case 5:
        line_.boolean("ecn", one_in(2));
        break;
      case 6:
        number("lose_every", random_.below(300));
        break;
      case 7:
        share("lose_acks", 1'000'000);
        break;
      default:
        share("alpha", 4'000'000);
    }
    line_.close('}');
  }
  line_.close(']');
}

RandomScenario Maker::make() {
  const bool payload = one_in(4);
  number("seed", random_.below(1'000'000));
  number("duration_us", 20 + random_.below(180));
  maybe("until_done");
  maybe("sample_us", {1, 7, 50});
  number("sample_flows", of({0, 1, 20}));
  number("sample_links", of({0, 1, 20}));
  topology();
  link("link");
  if (one_in(2)) link("uplink");
  host();
  at();
  transport();
  if (payload) {
    line_.open("traffic", '[').open("", '{').text("kind", "incast").number("to", 0);
    number("bytes", of({1, 1000, 65'536, 300'000}));
    line_.close('}').close(']');
  } else {
    traffic(1 + random_.below(3));
  }
  changes(one_in(2) ? 0 : random_.below(6));
  if (one_in(8)) {
    line_.open("stop_at", '{');
    if (one_in(2)) line_.boolean("drop", true);
    if (one_in(2)) line_.boolean("pause", true);
    if (one_in(2)) line_.boolean("timeout", true);
    maybe("queue_bytes", {1, 50'000});
    line_.close('}');
  }
  if (one_in(8)) {
    line_.open("limits", '{');
    maybe("events", {0, 1, 1000, 100'000});
    maybe("memory_mib", {16, 64});
    line_.close('}');
  }
  return {line_.end(), payload};
}

}  // namespace

RandomScenario random_scenario(uint64_t seed) { return Maker(seed).make(); }

}  // namespace vlsim
