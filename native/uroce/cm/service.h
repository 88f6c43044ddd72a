// The connection manager of a device: machine, router and ports, and the way from MADs and timers to the
// events of ids. Everything under the engine lock unless noted.
#pragma once

#include <mutex>
#include <unordered_set>

#include "uroce/cm/dispatch.h"
#include "uroce/cm/id.h"
#include "uroce/cm/ports.h"
#include "uroce/cm/protocol/machine.h"
#include "uroce/cm/router.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/device/management.h"

namespace uroce::cm {

class Service final : public verbs::Management, private Owner, private RouterClient {
 public:
  explicit Service(verbs::Device& device);

  verbs::Device& device() { return device_; }
  Machine& machine() { return machine_; }
  Ports& ports() { return ports_; }
  const Ports& ports() const { return ports_; }
  const net::AddressPlan& plan() const { return device_.plan(); }
  // Index of the address in the GID table, or its size.
  std::size_t gid_index(const Gid& gid) const { return ports_.gid_index(gid); }

  // Lets go of everything that the id has here.
  void forget(Id* id, uint64_t now);
  void ids_changed(Id* id, bool there);

  // Management
  int fd() const override { return router_.fd(); }
  void serve() override;
  void on_mad(const transport::RxMad& mad) override;
  void on_time(uint64_t now) override;
  Events events_of(const void* id) const override;
  void counters(const ShowCounter& show) const override;
  void at_exit(uint64_t now) override;

  // A call has ended: names are given up, and the device learns when to wake.
  void finish_call();
  void note_wake() { device_.set_management_wake(dispatch_.next_wake()); }

 private:
  void send(const Address& to, const wire::MadBytes& mad) override;
  void on_event(const Event& event) override;
  void* listener(uint64_t service_id, const Address& address, std::span<const uint8_t> private_data,
                 bool datagram) override;
  void on_forwarded(const net::ForwardedMad& mad) override;

  void on_request(const Event& event);
  void on_reply(Id* id, const Event& event);
  void on_sidr_reply(Id* id, const Event& event);

  verbs::Device& device_;
  Machine machine_;
  Router router_;
  Ports ports_;
  Dispatch dispatch_;
  std::unordered_set<Id*> ids_;
};

// A call into the service: takes the engine lock, and sends what came of it at the end.
class Call {
 public:
  explicit Call(Service& service)
      : service_(service), guard_(service.device().lock()), now_(service.device().now()) {}
  ~Call() {
    service_.finish_call();
    service_.device().push(now_, transport::kDeferPiggybackAcks);
    service_.device().thread().check_by(now_, service_.device().next_wake());
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  uint64_t now() const { return now_; }

 private:
  Service& service_;
  std::lock_guard<verbs::EngineLock> guard_;
  uint64_t now_;
};

// The context through which ids see the device (context.cc); opened with the first id.
struct Shared {
  ibv_context* verbs = nullptr;
  ibv_pd* pd = nullptr;
  Service* service = nullptr;
};
// Null with errno set when there is no device. Each is undone by one release_shared().
const Shared* acquire_shared();
// For an id made of another's request: there is one reference at least. Any lock may be held.
void share_again();
void release_shared();

// A new id that holds a reference to the context; null with errno.
Id* make_id(Channel* channel, void* context, rdma_port_space ps, ibv_qp_type type);
// Sets what an id with an address shows: device, port, protection domain.
void assign_device(Id* id);

}  // namespace uroce::cm
