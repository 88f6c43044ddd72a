#include "addon/cm_resources.h"

#include <cerrno>

namespace addon {

int CmChannelRes::destroy() noexcept {
  if (channel != nullptr) cm->destroy_event_channel(channel);
  channel = nullptr;
  return 0;
}

int CmIdRes::destroy() noexcept {
  if (id == nullptr) return 0;
  if (channel->cm->destroy_id(id) != 0) return errno != 0 ? errno : EIO;
  id = nullptr;
  return 0;
}

}  // namespace addon
