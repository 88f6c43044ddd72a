// The first verbs device, opened, with a protection domain.
#pragma once

#include <infiniband/verbs.h>

#include "bench/vlcost/cost.h"

namespace vlcost {

class OpenDevice {
 public:
  OpenDevice() {
    int count = 0;
    ibv_device** list = made(ibv_get_device_list(&count), "ibv_get_device_list");
    if (count == 0) throw std::runtime_error("there is no verbs device");
    context_ = ibv_open_device(list[0]);
    const int error = errno;
    ibv_free_device_list(list);
    if (context_ == nullptr) fail("ibv_open_device", error);
    pd_ = made(ibv_alloc_pd(context_), "ibv_alloc_pd");
  }
  ~OpenDevice() {
    if (pd_ != nullptr) ibv_dealloc_pd(pd_);
    if (context_ != nullptr) ibv_close_device(context_);
  }
  OpenDevice(const OpenDevice&) = delete;
  OpenDevice& operator=(const OpenDevice&) = delete;

  ibv_context* context() const { return context_; }
  ibv_pd* pd() const { return pd_; }

 private:
  ibv_context* context_ = nullptr;
  ibv_pd* pd_ = nullptr;
};

}  // namespace vlcost
