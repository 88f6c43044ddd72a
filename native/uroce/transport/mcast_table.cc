#include "uroce/transport/mcast_table.h"

#include <algorithm>
#include <cerrno>

#include "uroce/refusal.h"

namespace uroce::transport {

int McastTable::attach(const Gid& gid, Qp& qp) {
  auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.gid == gid; });
  if (group == groups_.end()) {
    if (groups_.size() >= max_groups_) return refuse(ENOMEM, Cause::too_many, Thing::groups, max_groups_);
    groups_.push_back({gid, {&qp}});
    return 0;
  }
  if (std::find(group->qps.begin(), group->qps.end(), &qp) != group->qps.end()) return 0;
  if (group->qps.size() >= max_qps_) return refuse(ENOMEM, Cause::too_many, Thing::group_qps, max_qps_);
  group->qps.push_back(&qp);
  return 0;
}

int McastTable::detach(const Gid& gid, Qp& qp) {
  const auto group =
      std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.gid == gid; });
  if (group == groups_.end() || std::erase(group->qps, &qp) == 0)
    return refuse(EINVAL, Cause::mcast_not_attached);
  if (group->qps.empty()) groups_.erase(group);
  return 0;
}

const std::vector<Qp*>* McastTable::find(const Gid& gid) const {
  const auto group =
      std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.gid == gid; });
  return group == groups_.end() ? nullptr : &group->qps;
}

bool McastTable::holds(const Qp& qp) const {
  return std::any_of(groups_.begin(), groups_.end(), [&](const Group& g) {
    return std::find(g.qps.begin(), g.qps.end(), &qp) != g.qps.end();
  });
}

}  // namespace uroce::transport
