// The objects of the connection manager, and the order in which they die: see resources.h.
//
//   CmDevices <- Context (borrowed)
//             <- CmChannel <- CmId <- Qp
#pragma once

#include "addon/cm_library.h"
#include "addon/resources.h"

namespace addon {

using Cm = std::shared_ptr<const CmLibrary>;

// Keeps the devices open that librdmacm opened: it closes them with their last id otherwise.
struct CmDevicesRes {
  Cm cm;
  ibv_context** list = nullptr;
  ~CmDevicesRes() {
    if (list != nullptr) cm->free_devices(list);
  }
};

struct CmChannelRes {
  Cm cm;
  std::shared_ptr<CmDevicesRes> devices;
  rdma_event_channel* channel = nullptr;
  int children = 0;
  int destroy() noexcept;
  ~CmChannelRes() { destroy(); }
};

struct CmIdRes {
  std::shared_ptr<CmChannelRes> channel;
  rdma_cm_id* id = nullptr;
  int children = 0;  // its QP
  ChildOf of_channel;
  int destroy() noexcept;
  ~CmIdRes() { destroy(); }
};

}  // namespace addon
