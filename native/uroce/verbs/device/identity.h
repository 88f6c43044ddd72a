// Names and attributes of the device for verbs, and for programs that read them as files, without opening
// it.
#pragma once

#include "uroce/net/host/address.h"
#include "uroce/verbs/abi/abi.h"

namespace uroce::verbs {

inline constexpr const char* kDeviceName = "uroce0";
inline constexpr const char* kDevicePath = "/sys/class/infiniband/uroce0";
inline constexpr const char* kVerbsName = "uverbs0";
inline constexpr const char* kVerbsPath = "/sys/class/infiniband_verbs/uverbs0";
inline constexpr const char* kFirmware = "0.1.0";
inline constexpr uint32_t kHardwareVersion = 1;
inline constexpr int kGidTableLength = 1024;  // as rxe

// The attributes of port 1 that follow from the addresses: without max_msg_sz and counters.
ibv_port_attr port_of(const net::AddressPlan& plan);

}  // namespace uroce::verbs
