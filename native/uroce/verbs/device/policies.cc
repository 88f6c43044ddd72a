#include "uroce/verbs/device/policies.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace uroce::verbs {
namespace {

constexpr uint64_t kGbps = 1'000'000'000;
constexpr uint64_t kDefaultLineRate = 10 * kGbps;
constexpr uint64_t kHighestLineRate = 10'000;  // Gb/s
constexpr uint64_t kMostAckEvery = 1'000'000;
constexpr uint64_t kLongestAckDelay = 1'000'000;  // us

// In the order of enum uroce_recovery and enum uroce_congestion.
constexpr std::string_view kRecoveries[] = {"go-back-n", "go-back-0", "selective-repeat"};
constexpr std::string_view kCongestions[] = {"none",  "dcqcn-paper", "dcqcn-nic",     "dcqcn-ns3",
                                             "swift", "timely",      "timely-patched"};

// Index of the variable's value in a list of names, 0 if it is not set.
template <size_t N>
std::expected<uint32_t, Error> choice(const char* variable, const std::string_view (&names)[N]) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return 0;
  const auto found = std::find(std::begin(names), std::end(names), std::string_view(value));
  if (found != std::end(names)) return static_cast<uint32_t>(found - std::begin(names));
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return std::unexpected(
      Error{EINVAL, std::string(variable) + ": \"" + value + "\" is none of " + list + "."});
}

// The variable's whole number from low to high; nothing if it is not set.
std::expected<std::optional<uint64_t>, Error> number(const char* variable, const char* what, uint64_t low,
                                                     uint64_t high) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  uint64_t n = 0;
  const char* end = value + std::strlen(value);
  const auto [rest, error] = std::from_chars(value, end, n);
  if (error == std::errc{} && rest == end && n >= low && n <= high) return n;
  return std::unexpected(Error{EINVAL, std::string(variable) + ": \"" + value +
                                           "\" is not a whole number of " + what + " from " +
                                           std::to_string(low) + " to " + std::to_string(high) + "."});
}

}  // namespace

std::expected<transport::QpPolicy, int> policy_of(const uroce_qp_policy& p) {
  transport::QpPolicy policy;
  if (p.recovery >= std::size(kRecoveries)) return std::unexpected(EINVAL);
  policy.recovery = static_cast<transport::RecoveryKind>(p.recovery);
  const uint64_t rate = p.line_rate != 0 ? p.line_rate : kDefaultLineRate;
  switch (p.congestion) {
    case UROCE_CONGESTION_NONE:
      break;
    case UROCE_CONGESTION_DCQCN_PAPER:
      policy.congestion = transport::DcqcnParameters::paper(rate);
      break;
    case UROCE_CONGESTION_DCQCN_NIC:
      policy.congestion = transport::DcqcnParameters::nic(rate);
      break;
    case UROCE_CONGESTION_DCQCN_NS3:
      policy.congestion = transport::DcqcnParameters::ns3(rate);
      break;
    case UROCE_CONGESTION_SWIFT:
      policy.congestion = transport::SwiftParameters{};
      break;
    case UROCE_CONGESTION_TIMELY:
      policy.congestion = transport::TimelyParameters::paper(rate);
      break;
    case UROCE_CONGESTION_TIMELY_PATCHED:
      policy.congestion = transport::TimelyParameters::with_patch(rate);
      break;
    default:
      return std::unexpected(EINVAL);
  }
  policy.ack_every = p.ack_every;
  if (p.ack_delay_ns != 0) policy.ack_delay_ns = p.ack_delay_ns;
  if (!policy.valid()) return std::unexpected(EINVAL);
  return policy;
}

uroce_qp_policy numbers_of(const transport::QpPolicy& policy) {
  using transport::DcqcnParameters;
  uroce_qp_policy numbers{.recovery = static_cast<uint32_t>(policy.recovery),
                          .congestion = UROCE_CONGESTION_NONE,
                          .line_rate = 0,
                          .ack_every = policy.ack_every,
                          .ack_delay_ns = 0};
  if (policy.ack_delay_ns != transport::kDefaultAckDelay)
    numbers.ack_delay_ns = static_cast<uint32_t>(std::min<uint64_t>(policy.ack_delay_ns, UINT32_MAX));
  if (const auto* dcqcn = std::get_if<DcqcnParameters>(&policy.congestion)) {
    numbers.line_rate = dcqcn->line_rate;
    numbers.congestion = *dcqcn == DcqcnParameters::paper(dcqcn->line_rate) ? UROCE_CONGESTION_DCQCN_PAPER
                         : *dcqcn == DcqcnParameters::nic(dcqcn->line_rate) ? UROCE_CONGESTION_DCQCN_NIC
                                                                            : UROCE_CONGESTION_DCQCN_NS3;
  } else if (const auto* timely = std::get_if<transport::TimelyParameters>(&policy.congestion)) {
    numbers.line_rate = timely->line_rate;
    numbers.congestion = timely->patched ? UROCE_CONGESTION_TIMELY_PATCHED : UROCE_CONGESTION_TIMELY;
  } else if (std::holds_alternative<transport::SwiftParameters>(policy.congestion)) {
    numbers.congestion = UROCE_CONGESTION_SWIFT;
  }
  return numbers;
}

std::string_view recovery_name(uint32_t recovery) { return kRecoveries[recovery]; }
std::string_view congestion_name(uint32_t congestion) { return kCongestions[congestion]; }

std::expected<transport::QpPolicy, Error> policy_from_environment() {
  const auto recovery = choice("UROCE_RECOVERY", kRecoveries);
  if (!recovery) return std::unexpected(recovery.error());
  const auto congestion = choice("UROCE_CONGESTION", kCongestions);
  if (!congestion) return std::unexpected(congestion.error());
  const auto rate = number("UROCE_LINE_RATE", "Gb/s", 1, kHighestLineRate);
  if (!rate) return std::unexpected(rate.error());
  const auto every = number("UROCE_ACK_EVERY", "packets", 1, kMostAckEvery);
  if (!every) return std::unexpected(every.error());
  const auto delay = number("UROCE_ACK_DELAY", "microseconds", 0, kLongestAckDelay);
  if (!delay) return std::unexpected(delay.error());
  // A delay of 0 is the one that no ACK waits for.
  const uint64_t delay_ns = !*delay ? 0 : std::max<uint64_t>(**delay * 1000, 1);
  return *policy_of({.recovery = *recovery,
                     .congestion = *congestion,
                     .line_rate = rate->value_or(0) * kGbps,
                     .ack_every = static_cast<uint32_t>(every->value_or(0)),
                     .ack_delay_ns = static_cast<uint32_t>(delay_ns)});  // all of them in range
}

}  // namespace uroce::verbs
