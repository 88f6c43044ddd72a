// Changes of interfaces and addresses: their effect on the port and the GID table.
#include <mutex>

#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"

namespace uroce::verbs {

void Device::links_changed() {
  if (!link_watch_.drain()) return;
  const auto now = net::query_links(plan_);
  if (!now) return;
  std::lock_guard guard(lock_);
  const bool was_up = std::exchange(link_up_, now->up);
  const uint64_t were_present = gids_present_.exchange(now->present);
  for (ContextObject* context : contexts_) {
    ibv_context* c = &context->verbs.context;
    if (was_up != now->up) raise_async(c, {now->up ? IBV_EVENT_PORT_ACTIVE : IBV_EVENT_PORT_ERR, nullptr});
    if (were_present != now->present) raise_async(c, {IBV_EVENT_GID_CHANGE, nullptr});
  }
}

void Device::add_context(ContextObject* context) {
  std::lock_guard guard(lock_);
  contexts_.insert(context);
}

void Device::remove_context(ContextObject* context) {
  std::lock_guard guard(lock_);
  contexts_.erase(context);
}

}  // namespace uroce::verbs
