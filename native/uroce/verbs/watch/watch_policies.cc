#include "uroce/verbs/watch/watch_policies.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "uroce/feed/object.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/device/policies.h"
#include "uroce/verbs/device/policy_state.h"
#include "uroce/verbs/watch/watch_work.h"

namespace uroce::verbs::watch {
namespace {

std::string state_json(const transport::Qp& qp, uint64_t now) {
  const uroce_qp_policy_state state = policy_state(qp, now);
  feed::Object out;
  out.number("qpn", qp.qpn());
  out.text("recovery", recovery_name(state.recovery)).text("congestion", congestion_name(state.congestion));
  if (state.recovery_in_effect != state.recovery)
    out.text("recoveryInEffect", recovery_name(state.recovery_in_effect));
  // What a law does not have is left out. The alpha of a NIC falls to 0 within microseconds.
  const auto value = [&](const char* name, uint64_t number) {
    if (number != 0) out.number(name, number);
  };
  value("lineRate", state.line_rate);
  value("rate", state.rate);
  value("target", state.target_rate);
  if (state.target_rate != 0) out.number("alphaPpm", state.alpha_ppm);
  value("window", state.window_bytes);
  value("srttNs", state.srtt_ns);
  return out.number("cnps", state.cnps).number("marks", state.marks).closed();
}

std::string message_of(const std::string& qps, std::size_t others) {
  feed::Object out("policies");
  return out.raw("qps", "[" + qps + "]").number("others", others).take();
}

}  // namespace

std::string Policies::look(const States& qps, uint64_t now) {
  found_.clear();
  for (const auto& [object, state] : qps) {
    if (!object->qp->has_default_policy()) found_.push_back(object);
  }
  named_ = std::min(found_.size(), kMost);
  if (found_.empty() && last_.empty()) return {};
  std::ranges::partial_sort(found_, found_.begin() + static_cast<std::ptrdiff_t>(named_), {},
                            [](const QpObject* object) { return object->qp->qpn(); });
  std::string list;
  for (std::size_t i = 0; i < named_; ++i)
    list += (list.empty() ? "" : ",") + state_json(*found_[i]->qp, now);
  return message_of(list, found_.size() - named_);
}

std::string Policies::changed(std::string text) {
  if (text.empty() || text == last_) return {};
  last_ = text;
  return text;
}

std::string Policies::sample(Device& device) {
  // At process exit a thread that no longer runs may hold the lock.
  if (!device.lock().lock_within(EngineLock::kAtTheEnd)) return {};
  const std::lock_guard guard(device.lock(), std::adopt_lock);
  std::lock_guard work_guard(work().mutex);
  return changed(look(work().states, device.now()));
}

std::string Policies::connected(const QpObject& qp, uint64_t now) {
  if (qp.qp->has_default_policy() || named_ == kMost) return {};
  return changed(look(work().states, now));
}

std::string Policies::leaving(const QpObject& qp, uint64_t now) {
  if (qp.qp->has_default_policy()) return {};
  return changed(look(work().states, now));
}

std::string Policies::end() {
  std::string text = last_.empty() ? std::string() : message_of({}, 0);
  *this = {};
  return text;
}

}  // namespace uroce::verbs::watch
