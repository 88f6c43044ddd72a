// What a registered process tells (uroce/feed): the verbs side. All of it only while feed::on().
#pragma once

#include <cerrno>
#include <string>
#include <type_traits>

#include "uroce/feed/feed.h"
#include "uroce/transport/queues/completion.h"
#include "uroce/verbs/abi/abi.h"

namespace uroce::verbs {

class Device;
struct AsyncEvent;
struct QpObject;

namespace watch {

// The device was opened: registers the process unless it is, and follows the device until it goes.
void follow(Device& device);
void unfollow(Device& device);

// Work requests up to `end` were taken. Each post and poll counts, only some are shown.
void posted(const ibv_send_wr* wr, const ibv_send_wr* end);
void posted(const ibv_recv_wr* wr, const ibv_recv_wr* end, bool shared);
void polled(const ibv_wc* wc, const transport::WrStamps* stamps, uint32_t n);
void retired(const transport::WrStamps& stamps);

// The QP was modified. Engine lock.
void modified(const QpObject& qp, const ibv_qp_attr& attr, uint32_t mask);
// Engine lock or none.
void raised(const AsyncEvent& event);
// A verbs call failed with this errno. reason: a sentence that says exactly why; empty where that is not known.
void refused_call(const char* call, int error, const std::string& reason = {});

// Hands the result of a verbs call through. An error number goes into errno too, where the system call behind
// rdma-core's verbs leaves it.
// reason: says why, where the call fails with EINVAL.
template <class R, class Reason = std::string (*)()>
R outcome(const char* call, R result, Reason reason = [] { return std::string(); }) {
  int error = errno;
  if constexpr (std::is_pointer_v<R>) {
    if (result != nullptr) [[likely]]
      return result;
  } else {
    if (result == 0) [[likely]]
      return result;
    if (result > 0) error = result;
  }
  if (feed::on()) [[unlikely]]
    refused_call(call, error, error == EINVAL ? reason() : std::string());
  errno = error;
  return result;
}

}  // namespace watch
}  // namespace uroce::verbs
