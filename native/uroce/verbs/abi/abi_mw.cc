// Memory windows: allocate, bind (type 1), deallocate. Type 2 windows are bound by work requests.
#include <errno.h>

#include <mutex>

#include "uroce/verbs/abi/context.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/call_faults.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs {

namespace {

ibv_mw* allocate(ibv_pd* pd, ibv_mw_type type) {
  if (!is_live(pd)) return fail<ibv_mw>(refuse_dead());
  if (raw(type) != IBV_MW_TYPE_1 && raw(type) != IBV_MW_TYPE_2)
    return fail<ibv_mw>(refuse(EINVAL, Cause::mw_type, raw(type)));
  Device* device = object(pd)->device;
  auto* mw = new (std::nothrow) MwObject{};
  if (mw == nullptr) return fail<ibv_mw>(refuse_memory());
  std::lock_guard guard(device->lock());
  const auto key = device->engine().alloc_mw(object(pd)->id, static_cast<transport::MwType>(type));
  if (!key) {
    delete mw;
    return fail<ibv_mw>(key.error());
  }
  mw->device = device;
  mw->key = *key;
  mw->base = {.context = pd->context, .pd = pd, .rkey = *key, .handle = handles::next(), .type = type};
  enter_handle(&mw->base);
  ContextObject::of(pd->context)->mws.insert(mw);
  report::made(report::Kind::mw, mw, *key);
  return &mw->base;
}

int deallocate(ibv_mw* handle) {
  if (!is_live(handle)) return refuse_dead();
  MwObject* mw = object(handle);
  {
    std::lock_guard guard(mw->device->lock());
    if (const int error = mw->device->engine().dealloc_mw(mw->key); error != 0) return error;
    ContextObject::of(handle->context)->mws.erase(mw);
    leave_handle(handle);
    report::gone(mw);
  }
  free_later(mw);
  return 0;
}

}  // namespace

ibv_mw* ops::alloc_mw(ibv_pd* pd, ibv_mw_type type) {
  if (const int error = call_faults::injected("ibv_alloc_mw"); error != 0)
    return watch::outcome("ibv_alloc_mw", pd, fail<ibv_mw>(error));
  return watch::outcome("ibv_alloc_mw", pd, or_no_memory([&] { return allocate(pd, type); }));
}

int ops::dealloc_mw(ibv_mw* mw) { return watch::outcome("ibv_dealloc_mw", mw, deallocate(mw)); }

// The inline ibv_bind_mw has checked the window's type, and that the region is there and in its PD.
int ops::bind_mw(ibv_qp* qp, ibv_mw* mw, ibv_mw_bind* bind) {
  const ibv_mw_bind_info& info = bind->bind_info;
  if ((info.mw_access_flags & IBV_ACCESS_ZERO_BASED) != 0)
    return watch::outcome("ibv_bind_mw", qp, refuse(EINVAL, Cause::mw_zero_based));
  ibv_send_wr wr{};
  wr.wr_id = bind->wr_id;
  wr.opcode = IBV_WR_BIND_MW;
  wr.send_flags = bind->send_flags;
  wr.bind_mw = {.mw = mw, .rkey = ibv_inc_rkey(mw->rkey), .bind_info = info};
  ibv_send_wr* bad = nullptr;
  if (const int error = post_for("ibv_bind_mw", qp, &wr, &bad); error != 0) return error;
  mw->rkey = wr.bind_mw.rkey;
  return 0;
}

}  // namespace uroce::verbs
