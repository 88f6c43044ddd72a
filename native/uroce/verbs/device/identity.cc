#include "uroce/verbs/device/identity.h"

#include <algorithm>

#include "uroce/verbs/abi/mtu.h"

namespace uroce::verbs {
namespace {

bool any_link_up(const net::AddressPlan& plan) {
  return std::any_of(plan.gids.begin(), plan.gids.end(),
                     [](const net::LocalAddress& l) { return !net::is_zero(l.gid) && net::link_is_up(l); });
}

}  // namespace

ibv_port_attr port_of(const net::AddressPlan& plan) {
  const bool up = any_link_up(plan);
  ibv_port_attr attr{};
  attr.state = up ? IBV_PORT_ACTIVE : IBV_PORT_DOWN;
  attr.max_mtu = IBV_MTU_4096;
  attr.active_mtu = mtu_enum(plan.path_mtu);
  attr.gid_tbl_len = kGidTableLength;
  attr.port_cap_flags = IBV_PORT_CM_SUP | IBV_PORT_IP_BASED_GIDS;
  attr.pkey_tbl_len = 1;
  attr.max_vl_num = 1;
  attr.active_width = 1;         // 1X
  attr.active_speed = 1;         // 2.5 Gb/s, as rxe says of itself
  attr.phys_state = up ? 5 : 3;  // LinkUp, Disabled
  attr.link_layer = IBV_LINK_LAYER_ETHERNET;
  return attr;
}

}  // namespace uroce::verbs
