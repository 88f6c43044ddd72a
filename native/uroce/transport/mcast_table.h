// Multicast groups and the queue pairs attached to them.
#pragma once

#include <cstdint>
#include <vector>

#include "uroce/types.h"

namespace uroce::transport {

class Qp;

class McastTable {
 public:
  McastTable(uint32_t max_groups, uint32_t max_qps) : max_groups_(max_groups), max_qps_(max_qps) {}

  // 0, also when the queue pair is attached already; ENOMEM (too many groups, or queue pairs in one).
  int attach(const Gid& group, Qp& qp);
  // 0, or EINVAL when it is not attached.
  int detach(const Gid& group, Qp& qp);
  // The queue pairs attached to the group, or nullptr.
  const std::vector<Qp*>* find(const Gid& group) const;
  bool holds(const Qp& qp) const;

 private:
  struct Group {
    Gid gid;
    std::vector<Qp*> qps;
  };
  std::vector<Group> groups_;
  uint32_t max_groups_;
  uint32_t max_qps_;
};

}  // namespace uroce::transport
