#include "addon/address.h"

#include <cstring>

#include "addon/args.h"

namespace addon {

ibv_gid gid_of(const Napi::Value& value) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().ByteLength() != 16)
    throw Napi::TypeError::New(value.Env(), "a GID has 16 bytes");
  ibv_gid gid{};
  std::memcpy(gid.raw, value.As<Napi::Uint8Array>().Data(), sizeof gid.raw);
  return gid;
}

ibv_ah_attr address_vector(const Napi::Object& in) {
  ibv_ah_attr attr{};
  const Napi::Value gid = in.Get("gid");
  attr.is_global = gid.IsUndefined() ? 0 : 1;
  if (attr.is_global != 0) attr.grh.dgid = gid_of(gid);
  attr.grh.sgid_index = integer<uint8_t>(in.Get("gidIndex"), "gidIndex");
  attr.grh.hop_limit = integer<uint8_t>(in.Get("hopLimit"), "hopLimit");
  attr.grh.traffic_class = integer<uint8_t>(in.Get("trafficClass"), "trafficClass");
  attr.grh.flow_label = integer<uint32_t>(in.Get("flowLabel"), "flowLabel");
  attr.dlid = integer<uint16_t>(in.Get("dlid"), "dlid");
  attr.sl = integer<uint8_t>(in.Get("sl"), "sl");
  attr.port_num = integer<uint8_t>(in.Get("port"), "port");
  return attr;
}

}  // namespace addon
