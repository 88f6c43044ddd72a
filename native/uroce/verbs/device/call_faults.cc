#include "uroce/verbs/device/call_faults.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <vector>

#include "uroce/random.h"
#include "uroce/refusal.h"

namespace uroce::verbs::call_faults {

bool g_any = false;

namespace {

struct Rule {
  std::string call;
  int error = ENOMEM;
  uint64_t nth = 0;    // fails only that one, from 1; 0: all
  uint64_t times = 0;  // fails so many at most; 0: no limit
  uint64_t over = 0;   // fails only calls that ask for more bytes
  double probability = 1;
  uint64_t seed = 0;

  uint64_t matched = 0, failed = 0;
};

// Calls that a rule can name. A call stands for its extended forms, too.
constexpr std::array<std::string_view, 23> kCalls = {
    "ibv_open_device",   "ibv_alloc_pd",      "ibv_reg_mr",         "ibv_create_comp_channel",
    "ibv_create_cq",     "ibv_create_qp",     "ibv_create_srq",     "ibv_create_ah",
    "ibv_alloc_mw",      "ibv_modify_qp",     "ibv_post_send",      "ibv_post_recv",
    "ibv_post_srq_recv", "ibv_req_notify_cq", "ibv_resize_cq",      "rdma_create_id",
    "rdma_bind_addr",    "rdma_resolve_addr", "rdma_resolve_route", "rdma_create_qp",
    "rdma_listen",       "rdma_connect",      "rdma_accept",
};

struct Name {
  std::string_view name;
  int error;
};
constexpr Name kErrors[] = {
    {"EACCES", EACCES},
    {"EADDRINUSE", EADDRINUSE},
    {"EADDRNOTAVAIL", EADDRNOTAVAIL},
    {"EAGAIN", EAGAIN},
    {"EBUSY", EBUSY},
    {"ECONNREFUSED", ECONNREFUSED},
    {"EFAULT", EFAULT},
    {"EHOSTUNREACH", EHOSTUNREACH},
    {"EINVAL", EINVAL},
    {"EIO", EIO},
    {"EMFILE", EMFILE},
    {"ENETUNREACH", ENETUNREACH},
    {"ENODEV", ENODEV},
    {"ENOMEM", ENOMEM},
    {"ENOSPC", ENOSPC},
    {"EOPNOTSUPP", EOPNOTSUPP},
    {"EPERM", EPERM},
    {"ETIMEDOUT", ETIMEDOUT},
};

// Pieces of a text between separators.
template <class F>
void each(std::string_view text, char between, F&& take) {
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(between);
    take(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
}

template <class T>
bool read(std::string_view text, T* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc{} && end == text.data() + text.size();
}

bool read_setting(std::string_view name, std::string_view value, Rule* rule) {
  if (name == "call") {
    rule->call = value;
    return std::ranges::find(kCalls, value) != kCalls.end();
  }
  if (name == "errno") {
    const auto* found = std::ranges::find(kErrors, value, &Name::name);
    if (found == std::end(kErrors)) return false;
    rule->error = found->error;
    return true;
  }
  if (name == "nth") return read(value, &rule->nth) && rule->nth > 0;
  if (name == "times") return read(value, &rule->times) && rule->times > 0;
  if (name == "over") return read(value, &rule->over);
  if (name == "seed") return read(value, &rule->seed);
  return name == "probability" && read(value, &rule->probability) && rule->probability > 0 &&
         rule->probability <= 1;
}

bool read_rule(const std::string_view whole, Rule* rule, std::string* mistake) {
  constexpr std::string_view kAction = "fail:";
  std::string_view words = whole;
  bool right = words.starts_with(kAction);
  if (!right) *mistake = whole.empty() ? ";" : whole;
  if (right) words.remove_prefix(kAction.size());
  each(words, ',', [&](std::string_view word) {
    const std::size_t at = word.find('=');
    if (!right) return;
    right = at != std::string_view::npos && read_setting(word.substr(0, at), word.substr(at + 1), rule);
    if (!right) *mistake = word;
  });
  if (right && rule->call.empty()) {
    *mistake = whole;
    return false;
  }
  return right;
}

// Rules from their words, `fail:call=ibv_reg_mr,errno=ENOMEM,nth=2`, with semicolons between them. Nothing if they are wrong;
// `mistake` then names the word.
std::optional<std::vector<Rule>> parse(std::string_view words, std::string* mistake) {
  std::vector<Rule> rules;
  bool right = true;
  each(words, ';', [&](std::string_view one) {
    Rule rule;
    right = right && read_rule(one, &rule, mistake);
    rules.push_back(std::move(rule));
  });
  if (!right) return std::nullopt;
  return rules;
}

std::mutex g_mutex;
std::vector<Rule>* g_rules = nullptr;
std::string* g_mistake = nullptr;

__attribute__((constructor)) void begin() {
  const char* words = std::getenv("UROCE_CALL_FAULTS");
  if (words == nullptr || *words == '\0') return;
  auto* mistake = new std::string;
  if (auto rules = parse(words, mistake)) {
    g_rules = new std::vector<Rule>(std::move(*rules));
    g_any = true;
  }
  g_mistake = mistake;
}

// In [0, 1), by the seed of the rule and the number of the call: the same calls are drawn in each run.
double drawn(const Rule& rule) {
  SeededRandom random(rule.seed + rule.matched * 0x9e3779b97f4a7c15u);
  return static_cast<double>(random.next64() >> 11) * 0x1p-53;
}

bool fails(Rule& rule, uint64_t bytes) {
  if (bytes <= rule.over && rule.over != 0) return false;
  ++rule.matched;
  if (rule.nth != 0 && rule.matched != rule.nth) return false;
  if (rule.times != 0 && rule.failed >= rule.times) return false;
  if (rule.probability < 1 && drawn(rule) >= rule.probability) return false;
  ++rule.failed;
  return true;
}

}  // namespace

const std::string& mistake() {
  static const std::string none;
  return g_mistake != nullptr ? *g_mistake : none;
}

bool concerns(std::string_view call) {
  return g_any && std::ranges::any_of(*g_rules, [&](const Rule& rule) { return rule.call == call; });
}

int asked(const char* call, uint64_t bytes) {
  std::lock_guard guard(g_mutex);
  for (std::size_t i = 0; i < g_rules->size(); ++i) {
    Rule& rule = (*g_rules)[i];
    if (rule.call == call && fails(rule, bytes))
      return refuse(rule.error, Cause::injected, i + 1, rule.matched);
  }
  return 0;
}

}  // namespace uroce::verbs::call_faults
