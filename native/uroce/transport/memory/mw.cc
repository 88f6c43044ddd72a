// Memory windows.
#include <cerrno>

#include "uroce/refusal.h"
#include "uroce/transport/memory/mr_table.h"

namespace uroce::transport {
namespace {

namespace a = access_flag;

// Local rights and mw_bind mean nothing in a window, and rxe and mlx5 ignore them too.
bool rights_ok(MwType type, uint32_t access, const Mr& region) {
  uint32_t allowed = a::remote_any | a::local_write | a::mw_bind | a::optional_range;
  if (type == MwType::type2) allowed |= a::zero_based;
  if ((access & ~allowed) != 0 || !(region.access & a::mw_bind)) return false;
  return !(access & (a::remote_write | a::remote_atomic)) || (region.access & a::local_write);
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

bool MrTable::bind(const MwBind& bind, uint32_t qpn, uint32_t pd) {
  Mr* w = window(bind.window);
  if (w == nullptr || w->pd != pd) return false;
  const bool type2 = w->window == MwType::type2;
  if (type2 && (w->link != 0 || bind.length == 0)) return false;
  Mr* region = nullptr;
  if (bind.length != 0) {
    region = entry(bind.region);
    if (region == nullptr || region->window != MwType{} || region->pd != pd ||
        !rights_ok(w->window, bind.access, *region) || !inside(*region, bind.addr, bind.length)) {
      return false;
    }
  }
  unbind(*w);
  w->key = (w->key & ~0xffu) | (bind.rkey & 0xff);
  if (region == nullptr) return true;
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
  return true;
}

bool MrTable::invalidate(uint32_t rkey, uint32_t qpn, uint32_t pd) {
  Mr* w = entry(rkey);
  if (w == nullptr || w->window != MwType::type2) return false;
  if (w->domain != (w->link != 0 ? qp_domain(qpn) : pd)) return false;
  unbind(*w);
  return true;
}

void MrTable::unbind_qp(uint32_t qpn) {
  if (bound_to_qps_ == 0) return;
  for (Mr& mr : slots_) {
    if (mr.key != 0 && mr.domain == qp_domain(qpn)) unbind(mr);
  }
}

}  // namespace uroce::transport
