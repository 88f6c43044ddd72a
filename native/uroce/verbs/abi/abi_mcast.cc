// Multicast groups.
#include <errno.h>

#include <mutex>

#include "uroce/verbs/abi/address_path.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/watch_feed.h"

using namespace uroce::verbs;

namespace {

int regroup(ibv_qp* handle, const ibv_gid& group,
            int (Device::*change)(uroce::transport::Qp&, const uroce::Gid&)) {
  if (!is_live(handle)) return refuse_dead();
  QpObject* qp = object(handle);
  std::lock_guard guard(qp->device->lock());
  return (qp->device->*change)(*qp->qp, to_gid(group));
}

}  // namespace

extern "C" {

// The LID means nothing to RoCE.
int ibv_attach_mcast(ibv_qp* qp, const ibv_gid* gid, uint16_t) {
  return watch::outcome("ibv_attach_mcast", qp,
                        or_no_memory([&] { return regroup(qp, *gid, &Device::attach_mcast); }));
}

int ibv_detach_mcast(ibv_qp* qp, const ibv_gid* gid, uint16_t) {
  return watch::outcome("ibv_detach_mcast", qp, regroup(qp, *gid, &Device::detach_mcast));
}

}  // extern "C"
