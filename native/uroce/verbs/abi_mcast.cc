// Multicast groups.
#include <errno.h>

#include <cstring>
#include <mutex>

#include "uroce/verbs/device.h"
#include "uroce/verbs/objects.h"

using namespace uroce;

extern "C" {

// The LID means nothing to RoCE.
int ibv_attach_mcast(ibv_qp* handle, const ibv_gid* gid, uint16_t) {
  QpObject* qp = object(handle);
  Gid group;
  std::memcpy(group.data(), gid->raw, sizeof gid->raw);
  std::lock_guard guard(qp->device->lock());
  return qp->device->attach_mcast(*qp->qp, group);
}

int ibv_detach_mcast(ibv_qp* handle, const ibv_gid* gid, uint16_t) {
  QpObject* qp = object(handle);
  Gid group;
  std::memcpy(group.data(), gid->raw, sizeof gid->raw);
  std::lock_guard guard(qp->device->lock());
  return qp->device->detach_mcast(*qp->qp, group);
}

}  // extern "C"
