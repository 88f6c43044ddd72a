#include "uroce/transport/mr_table.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace uroce {
namespace {

bool valid(uint64_t iova, uint64_t length, uint32_t access) {
  if (length == 0 || iova + (length - 1) < iova) return false;
  const bool remote_writes = access & (access_flag::remote_write | access_flag::remote_atomic);
  return !remote_writes || (access & access_flag::local_write);
}

}  // namespace

MrTable::MrTable(RandomSource& random, uint32_t max_mr)
    : random_(random), slots_(256), mask_(255), max_(max_mr) {}

std::expected<uint32_t, int> MrTable::reg(uint8_t* base, uint64_t iova, uint64_t length, uint32_t access,
                                          uint32_t pd) {
  if (!valid(iova, length, access)) return std::unexpected(EINVAL);
  if (count_ >= max_) return std::unexpected(ENOMEM);
  if (count_ * 2 >= slots_.size()) grow();
  uint32_t key;
  do {
    key = random_.next();
  } while (key == 0 || slots_[key & mask_].key != 0);
  slots_[key & mask_] = {key, pd, access, iova, length, base};
  ++count_;
  return key;
}

int MrTable::dereg(uint32_t key) {
  if (!find(key)) return EINVAL;
  slots_[key & mask_] = {};
  --count_;
  return 0;
}

int MrTable::change(uint32_t key, uint8_t* base, uint64_t iova, uint64_t length, uint32_t access,
                    uint32_t pd) {
  if (!find(key) || !valid(iova, length, access)) return EINVAL;
  slots_[key & mask_] = {key, pd, access, iova, length, base};
  return 0;
}

uint32_t MrTable::count_in_pd(uint32_t pd) const {
  return static_cast<uint32_t>(
      std::count_if(slots_.begin(), slots_.end(), [pd](const Mr& mr) { return mr.key != 0 && mr.pd == pd; }));
}

void MrTable::grow() {
  // Keys that had places of their own keep them apart: more low bits can only separate.
  std::vector<Mr> old = std::exchange(slots_, std::vector<Mr>(slots_.size() * 2));
  mask_ = static_cast<uint32_t>(slots_.size() - 1);
  for (const Mr& mr : old) {
    if (mr.key != 0) slots_[mr.key & mask_] = mr;
  }
}

}  // namespace uroce
