// Multicast groups.
#include <errno.h>

#include <mutex>

#include "uroce/verbs/address_path.h"
#include "uroce/verbs/device.h"
#include "uroce/verbs/objects.h"

using namespace uroce;

extern "C" {

// The LID means nothing to RoCE.
int ibv_attach_mcast(ibv_qp* handle, const ibv_gid* gid, uint16_t) {
  QpObject* qp = object(handle);
  std::lock_guard guard(qp->device->lock());
  return qp->device->attach_mcast(*qp->qp, to_gid(*gid));
}

int ibv_detach_mcast(ibv_qp* handle, const ibv_gid* gid, uint16_t) {
  QpObject* qp = object(handle);
  std::lock_guard guard(qp->device->lock());
  return qp->device->detach_mcast(*qp->qp, to_gid(*gid));
}

}  // extern "C"
