// Memory regions. A key is 32 random bits; its low bits are its place in the table (a new key is drawn until
// its place is free), so a look-up is one load and one compare, and knowing one key tells nothing of another.
#pragma once

#include <cstdint>
#include <expected>
#include <vector>

#include "uroce/transport/random.h"
#include "uroce/transport/types.h"

namespace uroce {

struct Mr {
  uint32_t key = 0;  // lkey and rkey; 0 is a free place
  uint32_t pd = 0;
  uint32_t access = 0;  // access_flag bits
  uint64_t iova = 0;    // address of the first byte as SGEs and peers name it
  uint64_t length = 0;  // bytes
  uint8_t* base = nullptr;
};

class MrTable {
 public:
  explicit MrTable(RandomSource& random, uint32_t max_mr = 1u << 20);

  // Returns the key, or EINVAL (remote write or atomic without local write, iova + length wraps), or ENOMEM
  // (table full).
  std::expected<uint32_t, int> reg(uint8_t* base, uint64_t iova, uint64_t length, uint32_t access,
                                   uint32_t pd);
  // 0, or EINVAL for an unknown key. The very next packet that names it fails.
  int dereg(uint32_t key);
  // rereg_mr: replaces what is given, keeps the key. 0, EINVAL.
  int change(uint32_t key, uint8_t* base, uint64_t iova, uint64_t length, uint32_t access, uint32_t pd);
  const Mr* find(uint32_t key) const {
    const Mr& mr = slots_[key & mask_];
    return mr.key == key && key != 0 ? &mr : nullptr;
  }
  // Host address of va if [va, va+len) lies inside the region, the PD is the region's and it grants every
  // right in `rights`; else nullptr. len 0 is the caller's case: a zero-length operation needs no key.
  uint8_t* check(uint32_t key, uint32_t pd, uint64_t va, uint64_t len, uint32_t rights) const {
    const Mr& mr = slots_[key & mask_];
    if (mr.key != key || key == 0 || mr.pd != pd || (mr.access & rights) != rights) return nullptr;
    const uint64_t offset = va - mr.iova;
    if (va < mr.iova || offset > mr.length || len > mr.length - offset) return nullptr;
    return mr.base + offset;
  }
  uint32_t size() const { return count_; }
  uint32_t count_in_pd(uint32_t pd) const;

 private:
  void grow();

  RandomSource& random_;
  std::vector<Mr> slots_;
  uint32_t mask_;
  uint32_t count_ = 0;
  uint32_t max_;
};

}  // namespace uroce
