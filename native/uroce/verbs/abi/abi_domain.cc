// Thread domains and parent domains. They are hints about locking, and the device needs none of them: a
// parent domain is its protection domain under a handle of its own.
#include <errno.h>

#include "uroce/verbs/abi/context.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs {

namespace {

ibv_td* allocate(ibv_context* context, const ibv_td_init_attr* attr) {
  if (!is_live(context)) return fail<ibv_td>(refuse_dead());
  if (attr->comp_mask != 0) return fail<ibv_td>(refuse(EINVAL, Cause::unknown_flags, attr->comp_mask));
  auto* td = new (std::nothrow) TdObject{};
  if (td == nullptr) return fail<ibv_td>(refuse_memory());
  td->base.context = context;
  enter_handle(&td->base);
  ++ContextObject::of(context)->objects;
  report::made(report::Kind::td, td);
  return &td->base;
}

int deallocate(ibv_td* handle) {
  if (!is_live(handle)) return refuse_dead();
  TdObject* td = object(handle);
  if (td->parents.load() != 0) return refuse(EBUSY, Cause::in_use, 5);
  --ContextObject::of(handle->context)->objects;
  leave_handle(handle);
  report::gone(td);
  free_later(td);
  return 0;
}

// Allocators of the program's own would never be called: EOPNOTSUPP.
ibv_pd* allocate(ibv_context* context, const ibv_parent_domain_init_attr* attr) {
  constexpr uint32_t kMasks = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS | IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT;
  if ((attr->comp_mask & ~kMasks) != 0)
    return fail<ibv_pd>(refuse(EINVAL, Cause::unknown_flags, attr->comp_mask & ~kMasks));
  if (attr->pd == nullptr) return fail<ibv_pd>(refuse(EINVAL, Cause::no_pd));
  if (!is_live(context) || !is_live(attr->pd) || !is_live_or_null(attr->td))
    return fail<ibv_pd>(refuse_dead());
  if (!in_context(context, attr->pd, attr->td)) return fail<ibv_pd>(refuse_foreign());
  if (object(attr->pd)->parent != nullptr) return fail<ibv_pd>(refuse(EINVAL, Cause::parent_pd));
  if ((attr->comp_mask & IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS) != 0)
    return fail<ibv_pd>(refuse(EOPNOTSUPP, Cause::unsupported, attr->comp_mask));
  auto* domain = new (std::nothrow) PdObject{};
  if (domain == nullptr) return fail<ibv_pd>(refuse_memory());
  PdObject* pd = object(attr->pd);
  domain->base.context = context;
  domain->base.handle = pd->base.handle;
  domain->device = pd->device;
  domain->id = pd->id;
  domain->parent = pd;
  domain->td = attr->td != nullptr ? object(attr->td) : nullptr;
  ++pd->domains;
  if (domain->td != nullptr) ++domain->td->parents;
  ++ContextObject::of(context)->objects;
  enter_handle(&domain->base);
  report::made(report::Kind::parent_domain, domain);
  return &domain->base;
}

}  // namespace

ibv_td* ops::alloc_td(ibv_context* context, ibv_td_init_attr* attr) {
  return watch::outcome("ibv_alloc_td", context, or_no_memory([&] { return allocate(context, attr); }));
}

int ops::dealloc_td(ibv_td* td) { return watch::outcome("ibv_dealloc_td", td, deallocate(td)); }

ibv_pd* ops::alloc_parent_domain(ibv_context* context, ibv_parent_domain_init_attr* attr) {
  return watch::outcome("ibv_alloc_parent_domain", context,
                        or_no_memory([&] { return allocate(context, attr); }));
}

}  // namespace uroce::verbs
