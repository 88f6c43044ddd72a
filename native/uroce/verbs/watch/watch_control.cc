#include "uroce/verbs/watch/watch_control.h"

#include <cerrno>
#include <mutex>
#include <utility>

#include "uroce/ext/faults_bytes.h"
#include "uroce/verbs/device/device.h"

namespace uroce::verbs::watch {
namespace {

std::mutex g_mutex;
ext::Faults g_faults;  // what was set last

auto port_for(Device& device, const ext::Faults& faults) {
  return device.make_faults(faults.rates ? &*faults.rates : nullptr, faults.rules.data(),
                            static_cast<uint32_t>(faults.rules.size()),
                            faults.shaping ? &*faults.shaping : nullptr);
}

int check(const ext::Faults& faults) {
  return net::FaultPort::validate(faults.rates ? &*faults.rates : nullptr, faults.rules.data(),
                                  static_cast<uint32_t>(faults.rules.size()),
                                  faults.shaping ? &*faults.shaping : nullptr);
}

int set_faults(Device* device, std::span<const uint8_t> bytes) {
  ext::Faults faults;
  if (const int error = ext::read_faults(bytes, &faults); error != 0) return error;
  if (const int error = check(faults); error != 0) return error;
  if (device != nullptr) {
    auto port = port_for(*device, faults);
    if (!port) return port.error();
    if (!device->lock().lock_within(EngineLock::kAtTheEnd)) return EBUSY;
    const std::lock_guard guard(device->lock(), std::adopt_lock);
    device->set_faults(std::move(*port));
  }
  std::lock_guard guard(g_mutex);
  g_faults = std::move(faults);
  return 0;
}

}  // namespace

int apply_control(void* device, feed::MessageType type, std::span<const uint8_t> payload) {
  if (type != feed::MessageType::faults) return EOPNOTSUPP;
  return set_faults(static_cast<Device*>(device), payload);
}

void reapply_control(Device& device) {
  std::lock_guard guard(g_mutex);
  if (g_faults.none()) return;
  if (auto port = port_for(device, g_faults)) device.set_faults(std::move(*port));
}

}  // namespace uroce::verbs::watch
