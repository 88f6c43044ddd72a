// Address vectors from JavaScript's objects.
#pragma once

#include <infiniband/verbs.h>
#include <napi.h>

namespace addon {

// NativeAddress of packages/verbs: {gid?, gidIndex, dlid, hopLimit, trafficClass, flowLabel, sl, port}.
ibv_ah_attr address_vector(const Napi::Object& in);
// 16 bytes in network order.
ibv_gid gid_of(const Napi::Value& value);

}  // namespace addon
