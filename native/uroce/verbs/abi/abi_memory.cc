// Protection domains and memory regions.
#include <errno.h>

#include <cstdio>
#include <cstring>
#include <mutex>

#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/call_faults.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"

using namespace uroce::verbs;

#undef ibv_reg_mr
#undef ibv_reg_mr_iova

namespace {

constexpr unsigned kEngineAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                                   IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND;
// Flags that are accepted and have no effect: there is no PCI bus to relax, and page size does not matter.
constexpr unsigned kHarmless = unsigned{IBV_ACCESS_HUGETLB} | unsigned{IBV_ACCESS_OPTIONAL_RANGE};
constexpr unsigned kUnsupported = IBV_ACCESS_ON_DEMAND;

bool writable(unsigned access) {
  return (access & (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) != 0;
}

int pin(Device& device, uintptr_t address, size_t length, bool write) {
  const int error = length != 0 ? device.pins().pin(address, length, write) : 0;
  if (error == ENOMEM) return refuse(error, Cause::memlock, length, memlock_limit());
  if (error == EINVAL) return refuse(error, Cause::range_wraps, length, address);
  return error != 0 ? refuse(error, Cause::not_mapped, length, address, write) : 0;
}

int check_access(unsigned access) {
  if ((access & kUnsupported) != 0) return refuse(EOPNOTSUPP, Cause::access_on_demand);
  const unsigned unknown = access & ~(kEngineAccess | kHarmless | kUnsupported | IBV_ACCESS_ZERO_BASED);
  return unknown != 0 ? refuse(EINVAL, Cause::access_unknown, unknown) : 0;
}

// Replaces the parts that the flags name. A failure changes nothing: EINVAL, EFAULT, ENOMEM, EBUSY (a
// window is bound to the region).
int change_region(MrObject* mr, int flags, ibv_pd* pd, void* addr, size_t length, unsigned access) {
  Device* device = mr->device;
  const bool move = (flags & IBV_REREG_MR_CHANGE_TRANSLATION) != 0;
  uroce::transport::Mr old;
  {
    std::lock_guard guard(device->lock());
    const uroce::transport::Mr* known = device->engine().mrs().find(mr->key);
    if (known == nullptr) return EINVAL;
    old = *known;
  }
  const unsigned rights = (flags & IBV_REREG_MR_CHANGE_ACCESS) != 0 ? access & kEngineAccess : old.access;
  const uintptr_t from = mr->address;
  const auto to = move ? reinterpret_cast<uintptr_t>(addr) : from;
  const size_t size = move ? length : mr->length;
  if (const int error = pin(*device, to, size, writable(rights)); error != 0) return error;
  int error;
  {
    std::lock_guard guard(device->lock());
    const uint64_t iova = !move ? old.iova : (access & IBV_ACCESS_ZERO_BASED) != 0 ? 0 : to;
    const uint32_t domain = (flags & IBV_REREG_MR_CHANGE_PD) != 0 ? object(pd)->id : old.pd;
    error = device->engine().mrs().change(mr->key, reinterpret_cast<uint8_t*>(to), iova, size,
                                          rights & kEngineAccess, domain);
  }
  // The place that the region does not use any more.
  const size_t left = error == 0 ? mr->length : size;
  if (left != 0) device->pins().unpin(error == 0 ? from : to, left);
  if (error != 0) return error;
  if (move) {
    mr->base.addr = addr;
    mr->base.length = mr->length = length;
    mr->address = to;
  }
  if ((flags & IBV_REREG_MR_CHANGE_PD) != 0) mr->base.pd = pd;
  return 0;
}

int rereg_mr(ibv_mr* mr, int flags, ibv_pd* pd, void* addr, size_t length, unsigned access) {
  if (!is_live(mr) || ((flags & IBV_REREG_MR_CHANGE_PD) != 0 && !is_live(pd))) return refuse_dead();
  if (flags == 0) return refuse(EINVAL, Cause::rereg_nothing);
  if ((flags & IBV_REREG_MR_CHANGE_PD) != 0 && !in_context(mr->context, pd)) return refuse_foreign();
  if (const int error = check_access(access); error != 0) return error;
  return change_region(object(mr), flags, pd, addr, length, access);
}

// A region of zero bytes is allowed. It pins nothing, and only zero-length operations can use it.
ibv_mr* register_memory(ibv_pd* pd, void* addr, size_t length, uint64_t iova, unsigned access) {
  if (!is_live(pd)) return fail<ibv_mr>(refuse_dead());
  if (const int error = check_access(access); error != 0) return fail<ibv_mr>(error);
  if ((access & IBV_ACCESS_ZERO_BASED) != 0) iova = 0;
  Device* device = object(pd)->device;
  const auto address = reinterpret_cast<uintptr_t>(addr);
  if (const int error = pin(*device, address, length, writable(access)); error != 0)
    return fail<ibv_mr>(error);
  auto* mr = new (std::nothrow) MrObject{};
  int error = ENOMEM;
  if (mr != nullptr) {
    std::lock_guard guard(device->lock());
    const auto key = device->engine().reg_mr(object(pd)->id, static_cast<uint8_t*>(addr), iova, length,
                                             access & kEngineAccess);
    if (key) {
      mr->device = device;
      mr->base.context = pd->context;
      mr->base.pd = pd;
      mr->base.addr = addr;
      mr->base.length = length;
      mr->key = mr->base.lkey = mr->base.rkey = *key;
      mr->address = address;
      mr->length = length;
      mr->base.handle = handles::next();
      enter_handle(&mr->base);
      ContextObject::of(pd->context)->mrs.insert(mr);
      uroce::report::made(uroce::report::Kind::mr, mr, *key);
      return &mr->base;
    }
    error = key.error();
  }
  delete mr;
  if (length != 0) device->pins().unpin(address, length);
  return fail<ibv_mr>(error);
}

ibv_mr* register_region(ibv_pd* pd, void* addr, size_t length, uint64_t iova, unsigned access) {
  if (const int error = call_faults::injected("ibv_reg_mr", length); error != 0) return fail<ibv_mr>(error);
  return or_no_memory([&] { return register_memory(pd, addr, length, iova, access); });
}

ibv_pd* alloc_pd(ibv_context* context) {
  if (!is_live(context)) return fail<ibv_pd>(refuse_dead());
  ContextObject* owner = ContextObject::of(context);
  auto* pd = new (std::nothrow) PdObject{};
  if (pd == nullptr) return fail<ibv_pd>(refuse_memory());
  {
    std::lock_guard guard(owner->device->lock());
    pd->id = owner->device->engine().alloc_pd();
  }
  if (pd->id == 0) {
    delete pd;
    const uint32_t most = owner->device->engine().config().max_pd;
    return fail<ibv_pd>(refuse(ENOMEM, Cause::too_many, Thing::pds, most));
  }
  pd->device = owner->device;
  pd->base.context = context;
  pd->base.handle = handles::next();
  enter_handle(&pd->base);
  ++owner->objects;
  uroce::report::made(uroce::report::Kind::pd, pd, pd->id);
  return &pd->base;
}

int dealloc_pd(ibv_pd* handle) {
  if (!is_live(handle)) return refuse_dead();
  PdObject* pd = object(handle);
  if (pd->address_handles.load() != 0) return refuse(EBUSY, Cause::in_use, 6);
  if (pd->domains.load() != 0) return refuse(EBUSY, Cause::in_use, 5);
  if (pd->parent != nullptr) {
    --pd->parent->domains;
    if (pd->td != nullptr) --pd->td->parents;
  } else {
    std::lock_guard guard(pd->device->lock());
    if (const int error = pd->device->engine().dealloc_pd(pd->id); error != 0) return error;
  }
  --ContextObject::of(handle->context)->objects;
  leave_handle(handle);
  uroce::report::gone(pd);
  free_later(pd);
  return 0;
}

int dereg_mr(ibv_mr* handle) {
  if (!is_live(handle)) return refuse_dead();
  MrObject* mr = object(handle);
  Device* device = mr->device;
  {
    std::lock_guard guard(device->lock());
    if (const int error = device->engine().dereg_mr(mr->key); error != 0) return error;
    ContextObject::of(handle->context)->mrs.erase(mr);
    leave_handle(handle);
    uroce::report::gone(mr);
  }
  if (mr->length != 0) device->pins().unpin(mr->address, mr->length);
  free_later(mr);
  return 0;
}

}  // namespace

extern "C" {

ibv_pd* ibv_alloc_pd(ibv_context* context) {
  if (const int error = call_faults::injected("ibv_alloc_pd"); error != 0)
    return watch::outcome("ibv_alloc_pd", context, fail<ibv_pd>(error));
  return watch::outcome("ibv_alloc_pd", context, or_no_memory([&] { return alloc_pd(context); }));
}

int ibv_dealloc_pd(ibv_pd* pd) { return watch::outcome("ibv_dealloc_pd", pd, dealloc_pd(pd)); }

ibv_mr* ibv_reg_mr(ibv_pd* pd, void* addr, size_t length, int access) {
  const auto rights = static_cast<unsigned>(access);
  return watch::outcome("ibv_reg_mr", pd,
                        register_region(pd, addr, length, reinterpret_cast<uintptr_t>(addr), rights));
}

ibv_mr* ibv_reg_mr_iova(ibv_pd* pd, void* addr, size_t length, uint64_t iova, int access) {
  return watch::outcome("ibv_reg_mr", pd,
                        register_region(pd, addr, length, iova, static_cast<unsigned>(access)));
}

ibv_mr* ibv_reg_mr_iova2(ibv_pd* pd, void* addr, size_t length, uint64_t iova, unsigned int access) {
  return watch::outcome("ibv_reg_mr", pd, register_region(pd, addr, length, iova, access));
}

int ibv_dereg_mr(ibv_mr* mr) { return watch::outcome("ibv_dereg_mr", mr, dereg_mr(mr)); }

ibv_mr* ibv_reg_dmabuf_mr(ibv_pd* pd, uint64_t, size_t, uint64_t, int, int) {
  return watch::outcome("ibv_reg_dmabuf_mr", pd, fail<ibv_mr>(refuse(EOPNOTSUPP, Cause::unsupported)));
}

// Errors are those of rdma-core: ERR_INPUT for arguments that it checks itself, ERR_CMD for what the kernel
// would refuse, and the reason in errno. On failure the region is unchanged.
int ibv_rereg_mr(ibv_mr* mr, int flags, ibv_pd* pd, void* addr, size_t length, int access) {
  const auto rights = static_cast<unsigned>(access);
  const bool named = (flags & ~IBV_REREG_MR_FLAGS_SUPPORTED) == 0;
  const bool place = (flags & IBV_REREG_MR_CHANGE_TRANSLATION) == 0 || (addr != nullptr && length != 0);
  const bool asked = access == 0 || (flags & IBV_REREG_MR_CHANGE_ACCESS) != 0;
  const bool input = named && place && asked;
  const int error = input ? or_no_memory([&] { return rereg_mr(mr, flags, pd, addr, length, rights); })
                          : refuse(EINVAL, Cause::rereg_arguments);
  if (watch::outcome("ibv_rereg_mr", mr, error) == 0) return 0;
  return input ? IBV_REREG_MR_ERR_CMD : IBV_REREG_MR_ERR_INPUT;
}

}  // extern "C"
