// Memory windows.
#include <cerrno>

#include "uroce/refusal.h"
#include "uroce/transport/memory/mr_table.h"

namespace uroce::transport {
namespace {

namespace a = access_flag;

// Local rights and mw_bind mean nothing in a window, and rxe and mlx5 ignore them too.
WindowFault check_rights(MwType type, uint32_t access, const Mr& region) {
  uint32_t allowed = a::remote_any | a::local_write | a::mw_bind | a::optional_range;
  if (type == MwType::type2) allowed |= a::zero_based;
  if ((access & ~allowed) != 0) return WindowFault::access;
  if (!(region.access & a::mw_bind)) return WindowFault::region_mw_bind;
  const bool writes = (access & (a::remote_write | a::remote_atomic)) != 0;
  return writes && !(region.access & a::local_write) ? WindowFault::region_local_write : WindowFault::none;
}

bool inside(const Mr& region, uint64_t addr, uint64_t length) {
  const uint64_t offset = addr - region.iova;
  return addr >= region.iova && offset <= region.length && length <= region.length - offset;
}

}  // namespace

std::expected<uint32_t, int> MrTable::alloc_window(uint32_t pd, MwType type) {
  if (windows_ >= max_windows_)
    return std::unexpected(refuse(ENOMEM, Cause::too_many, Thing::mws, max_windows_));
  const uint32_t key = new_key();
  Mr& w = slots_[key >> 8 & mask_];
  w.key = key;
  w.domain = w.pd = pd;
  w.window = type;
  ++windows_;
  count(pd);
  return key;
}

Mr* MrTable::window(uint32_t any_key) {
  Mr& w = slots_[any_key >> 8 & mask_];
  return w.key != 0 && w.key >> 8 == any_key >> 8 && w.window != MwType{} ? &w : nullptr;
}

int MrTable::free_window(uint32_t key) {
  Mr* w = window(key);
  if (w == nullptr) return EINVAL;
  unbind(*w);
  uncount(w->pd);
  *w = {};
  --windows_;
  return 0;
}

void MrTable::unbind(Mr& w) {
  if (w.link != 0) {
    --entry(w.link)->link;
    if (w.window == MwType::type2) --bound_to_qps_;
  }
  w.link = w.access = 0;
  w.iova = w.length = 0;
  w.base = nullptr;
  w.domain = w.pd;
}

WindowFault MrTable::bind(const MwBind& bind, uint32_t qpn, uint32_t pd) {
  Mr* w = window(bind.window);
  if (w == nullptr) return WindowFault::no_window;
  if (w->pd != pd) return WindowFault::other_pd;
  const bool type2 = w->window == MwType::type2;
  if (type2 && w->link != 0) return WindowFault::bound;
  if (type2 && bind.length == 0) return WindowFault::no_length;
  Mr* region = nullptr;
  if (bind.length != 0) {
    region = entry(bind.region);
    if (region == nullptr || region->window != MwType{}) return WindowFault::no_region;
    if (region->pd != pd) return WindowFault::other_pd;
    if (const WindowFault fault = check_rights(w->window, bind.access, *region); fault != WindowFault::none)
      return fault;
    if (!inside(*region, bind.addr, bind.length)) return WindowFault::range;
  }
  unbind(*w);
  w->key = (w->key & ~0xffu) | (bind.rkey & 0xff);
  if (region == nullptr) return WindowFault::none;
  w->access = bind.access & a::remote_any;
  w->iova = (bind.access & a::zero_based) ? 0 : bind.addr;
  w->length = bind.length;
  w->base = region->base + (bind.addr - region->iova);
  w->link = region->key;
  ++region->link;
  if (type2) {
    w->domain = qp_domain(qpn);
    ++bound_to_qps_;
  }
  return WindowFault::none;
}

WindowFault MrTable::invalidate(uint32_t rkey, uint32_t qpn, uint32_t pd) {
  Mr* w = entry(rkey);
  if (w == nullptr) return WindowFault::no_window;
  if (w->window == MwType{}) return WindowFault::is_region;
  if (w->window != MwType::type2) return WindowFault::is_type1;
  if (w->domain != (w->link != 0 ? qp_domain(qpn) : pd))
    return w->link != 0 ? WindowFault::other_qp : WindowFault::other_pd;
  unbind(*w);
  return WindowFault::none;
}

void MrTable::unbind_qp(uint32_t qpn) {
  if (bound_to_qps_ == 0) return;
  for (Mr& mr : slots_) {
    if (mr.key != 0 && mr.domain == qp_domain(qpn)) unbind(mr);
  }
}

}  // namespace uroce::transport
