// Memory regions and memory windows: the rights of keys. A region's key is 32 random bits; the low bits of
// its upper 24 are its place in the table (a new key is drawn until its place is free). So a look-up is one
// load and one compare, and one key says nothing about another. A window's key is of the same kind; binding
// changes its low byte and leaves it in its place.
#pragma once

#include <cstdint>
#include <expected>
#include <unordered_map>
#include <vector>

#include "uroce/random.h"
#include "uroce/types.h"

namespace uroce::transport {

// enum ibv_mw_type. Type 2 is 2B: bound to a QP, whose PD is the window's.
enum class MwType : uint8_t { type1 = 1, type2 = 2 };

// Reasons why a window is not bound or not invalidated.
enum class WindowFault : uint8_t {
  none,
  no_window,  // no window or region has the key
  is_region,  // the key is that of a region
  is_type1,
  other_pd,
  other_qp,   // bound to another QP
  bound,      // type 2, already bound
  no_length,  // type 2
  no_region,
  access,  // rights that its type cannot have
  region_mw_bind,
  region_local_write,
  range,
};

// Contents of a bind work request (ibv_mw_bind_info).
struct MwBind {
  uint32_t window = 0;  // any key that the window has had
  uint32_t rkey = 0;    // its low byte becomes the window's
  uint32_t region = 0;  // the region's key; ignored without a length
  uint64_t addr = 0;    // first byte, as the region names it
  uint64_t length = 0;  // bytes; 0 only unbinds (type 1)
  uint32_t access = 0;  // remote rights, zero_based; local ones are ignored
};

struct Mr {
  uint32_t key = 0;     // lkey and rkey of a region, rkey of a window; 0 is a free place
  uint32_t domain = 0;  // the user: a PD, or the QP of a bound type 2 window (qp_domain)
  uint32_t access = 0;  // access_flag bits
  uint32_t link = 0;    // region: windows bound to it; bound window: the region's key
  uint64_t iova = 0;    // address of the first byte for SGEs and peers
  uint64_t length = 0;  // bytes; 0 for an unbound window, and a region may have none
  uint8_t* base = nullptr;
  uint32_t pd = 0;
  MwType window = {};  // 0 for a region
};

class MrTable {
 public:
  explicit MrTable(RandomSource& random, uint32_t max_mr = 1u << 20, uint32_t max_mw = 1u << 20);

  // Returns the key, or EINVAL (remote write or atomic without local write, iova + length wraps), or ENOMEM
  // (table full).
  std::expected<uint32_t, int> reg(uint8_t* base, uint64_t iova, uint64_t length, uint32_t access,
                                   uint32_t pd);
  // 0, EINVAL for an unknown key, EBUSY while a window is bound to the region. The very next packet that
  // uses the key fails.
  int dereg(uint32_t key);
  // rereg_mr: replaces all of these and keeps the key. 0, EINVAL, EBUSY while a window is bound to it.
  int change(uint32_t key, uint8_t* base, uint64_t iova, uint64_t length, uint32_t access, uint32_t pd);
  const Mr* find(uint32_t key) const {
    const Mr& mr = slots_[key >> 8 & mask_];
    return mr.key == key && key != 0 ? &mr : nullptr;
  }
  // Host address of va if [va, va+len) is inside the region or window, the domain matches and every right
  // in `rights` is granted; else nullptr. Callers handle len 0: a zero-length operation needs no key.
  uint8_t* check(uint32_t key, uint32_t domain, uint64_t va, uint64_t len, uint32_t rights) const {
    const Mr& mr = slots_[key >> 8 & mask_];
    if (mr.key != key || key == 0 || mr.domain != domain || (mr.access & rights) != rights) return nullptr;
    const uint64_t offset = va - mr.iova;
    if (va < mr.iova || offset > mr.length || len > mr.length - offset) return nullptr;
    return mr.base + offset;
  }
  // A region of this PD with all these bytes; nullptr if none has them. A linear search: for explanations
  // only.
  const Mr* covering(uint32_t pd, uint64_t va, uint64_t len) const;
  // A region with this byte of the process; nullptr if none has it. A linear search.
  const Mr* holding(uintptr_t at) const;
  uint32_t size() const { return count_; }
  // Regions and windows.
  uint32_t count_in_pd(uint32_t pd) const {
    const auto it = in_pd_.find(pd);
    return it != in_pd_.end() ? it->second : 0;
  }

  // Memory windows, in mw.cc. The rules are those of IBA 10.6.7 as listed in rxe_mw.c.

  // The key of a new, unbound window, or ENOMEM.
  std::expected<uint32_t, int> alloc_window(uint32_t pd, MwType type);
  // Takes any key that the window has had. 0, EINVAL. A bound window is freed, too.
  int free_window(uint32_t key);
  // Binds, from a QP of this number and PD. A fault changes nothing. Faults: an unknown window or region;
  // PDs that differ; a type 2 window that is bound or gets no length; bytes outside the region; a region
  // without mw_bind; remote write or atomic to a region without local write; on-demand paging; zero_based
  // for type 1. Local write and mw_bind among a window's rights are ignored.
  WindowFault bind(const MwBind& bind, uint32_t qpn, uint32_t pd);
  // Unbinds a type 2 window, by its exact key, from the QP that it is bound to or (already unbound) shares
  // the PD with. Regions of user space and type 1 windows cannot be invalidated.
  WindowFault invalidate(uint32_t rkey, uint32_t qpn, uint32_t pd);
  // Unbinds the windows of a QP that is destroyed.
  void unbind_qp(uint32_t qpn);
  uint32_t windows() const { return windows_; }

 private:
  Mr* entry(uint32_t key) { return const_cast<Mr*>(find(key)); }
  Mr* window(uint32_t any_key);
  void unbind(Mr& window);
  void count(uint32_t pd) { ++in_pd_[pd]; }
  void uncount(uint32_t pd);
  uint32_t new_key();
  void grow();

  RandomSource& random_;
  std::vector<Mr> slots_;
  uint32_t mask_;
  std::unordered_map<uint32_t, uint32_t> in_pd_;
  uint32_t count_ = 0;  // regions
  uint32_t windows_ = 0;
  uint32_t bound_to_qps_ = 0;  // windows
  uint32_t max_;
  uint32_t max_windows_;
};

// The domain of type 2 windows bound to a QP; no PD has such a number.
inline uint32_t qp_domain(uint32_t qpn) { return 1u << 31 | qpn; }

}  // namespace uroce::transport
