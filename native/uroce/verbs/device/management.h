// Interface of the connection manager (cm/service.cc), which receives the management datagrams of the
// device. It is made and ends with the device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace uroce::transport {
struct RxMad;
}

namespace uroce::verbs {

class Device;

class Management {
 public:
  virtual ~Management() = default;
  // Readable when serve() has something to do. The engine thread calls serve(), without the engine lock.
  virtual int fd() const = 0;
  virtual void serve() = 0;
  // Engine lock held: a datagram arrived; timers are due (Device::set_management_wake).
  virtual void on_mad(const transport::RxMad& mad) = 0;
  virtual void on_time(uint64_t now) = 0;
  // Events that a live ID of the program has received, and those that it acknowledged, at the end. Engine
  // lock held.
  struct Events {
    uint32_t got, acknowledged;
  };
  virtual Events events_of(const void* id) const = 0;
  // Shows each of its counters. Engine lock held.
  using ShowCounter = std::function<void(const char* name, uint64_t value)>;
  virtual void counters(const ShowCounter& show) const = 0;
  // The process ends: tells the peers of established connections. Engine lock held.
  virtual void at_exit(uint64_t now) = 0;
};

std::unique_ptr<Management> make_management(Device& device);

}  // namespace uroce::verbs
