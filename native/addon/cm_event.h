// Events of a channel, between the thread that takes them from the library and JavaScript's.
#pragma once

#include <napi.h>

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "addon/cm_resources.h"

namespace addon {

// A copy of a rdma_cm_event, which is acknowledged at once: rdma_destroy_id waits for that.
struct CmEvent {
  explicit CmEvent(const rdma_cm_event& event);

  rdma_cm_event_type type;
  int status;
  uint32_t token;                    // the id's; for a request the listener's
  std::shared_ptr<CmIdRes> request;  // the new id of a request
  uint32_t request_token = 0;
  rdma_conn_param connection{};
  rdma_ud_param datagram{};
  bool is_datagram;
  std::vector<uint8_t> private_data;
};

class CmEventQueue {
 public:
  explicit CmEventQueue(std::shared_ptr<CmChannelRes> channel) : channel_(std::move(channel)) {}
  // On the watcher's thread: takes what the channel has. Returns how many.
  size_t take();
  // On JavaScript's thread.
  std::vector<CmEvent> drain();

 private:
  std::shared_ptr<CmChannelRes> channel_;
  std::mutex mutex_;
  std::vector<CmEvent> events_;
};

// NativeCmEvent of packages/verbs; a request gets its id here.
Napi::Object cm_event_to_js(Napi::Env env, const CmEvent& event);

}  // namespace addon
