#include "uroce/transport/memory/mr_table.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "uroce/refusal.h"

namespace uroce::transport {
namespace {

// 0 or EINVAL.
int refused(uint64_t iova, uint64_t length, uint32_t access) {
  if (length != 0 && iova + (length - 1) < iova) return refuse(EINVAL, Cause::range_wraps, length, iova);
  const bool remote_writes = access & (access_flag::remote_write | access_flag::remote_atomic);
  if (remote_writes && !(access & access_flag::local_write)) return refuse(EINVAL, Cause::access_local_write);
  return 0;
}

}  // namespace

MrTable::MrTable(RandomSource& random, uint32_t max_mr, uint32_t max_mw)
    : random_(random), slots_(256), mask_(255), max_(max_mr), max_windows_(max_mw) {}

std::expected<uint32_t, int> MrTable::reg(uint8_t* base, uint64_t iova, uint64_t length, uint32_t access,
                                          uint32_t pd) {
  if (const int error = refused(iova, length, access)) return std::unexpected(error);
  if (count_ >= max_) return std::unexpected(refuse(ENOMEM, Cause::too_many, Thing::mrs, max_));
  const uint32_t key = new_key();
  slots_[key >> 8 & mask_] = {key, pd, access | access_flag::region, 0, iova, length, base, pd, {}};
  ++count_;
  count(pd);
  return key;
}

// A key with a free place; there are as many free places as taken ones. No key is 0, with any low byte.
uint32_t MrTable::new_key() {
  if ((count_ + windows_) * 2 >= slots_.size()) grow();
  uint32_t key;
  do {
    key = random_.next();
  } while (key >> 8 == 0 || slots_[key >> 8 & mask_].key != 0);
  return key;
}

int MrTable::dereg(uint32_t key) {
  Mr* mr = entry(key);
  if (mr == nullptr || mr->window != MwType{}) return EINVAL;
  if (mr->link != 0) return refuse(EBUSY, Cause::windows_bound);
  uncount(mr->pd);
  *mr = {};
  --count_;
  return 0;
}

int MrTable::change(uint32_t key, uint8_t* base, uint64_t iova, uint64_t length, uint32_t access,
                    uint32_t pd) {
  Mr* mr = entry(key);
  if (mr == nullptr || mr->window != MwType{}) return EINVAL;
  if (const int error = refused(iova, length, access)) return error;
  if (mr->link != 0) return refuse(EBUSY, Cause::windows_bound);
  uncount(mr->pd);
  count(pd);
  *mr = {key, pd, access | access_flag::region, 0, iova, length, base, pd, {}};
  return 0;
}

const Mr* MrTable::covering(uint32_t pd, uint64_t va, uint64_t len) const {
  for (const Mr& mr : slots_) {
    const uint64_t offset = va - mr.iova;
    if (mr.key != 0 && mr.window == MwType{} && mr.pd == pd && va >= mr.iova && offset <= mr.length &&
        len <= mr.length - offset) {
      return &mr;
    }
  }
  return nullptr;
}

const Mr* MrTable::holding(uintptr_t at) const {
  const auto found = std::find_if(slots_.begin(), slots_.end(), [at](const Mr& mr) {
    const auto base = reinterpret_cast<uintptr_t>(mr.base);
    return mr.key != 0 && mr.window == MwType{} && at >= base && at - base < mr.length;
  });
  return found == slots_.end() ? nullptr : &*found;
}

void MrTable::uncount(uint32_t pd) {
  const auto it = in_pd_.find(pd);
  if (--it->second == 0) in_pd_.erase(it);
}

void MrTable::grow() {
  // Keys that had places of their own keep them apart: more low bits can only separate.
  std::vector<Mr> old = std::exchange(slots_, std::vector<Mr>(slots_.size() * 2));
  mask_ = static_cast<uint32_t>(slots_.size() - 1);
  for (const Mr& mr : old) {
    if (mr.key != 0) slots_[mr.key >> 8 & mask_] = mr;
  }
}

}  // namespace uroce::transport
