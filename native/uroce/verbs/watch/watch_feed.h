// The verbs side of the feed (uroce/feed) of a registered process. All of it only while feed::on().
#pragma once

#include "uroce/feed/feed.h"
#include "uroce/transport/queues/completion.h"
#include "uroce/verbs/abi/abi.h"
#include "uroce/verbs/watch/refusal.h"

namespace uroce::verbs {

class Device;
struct AsyncEvent;
struct QpObject;

namespace watch {

// Registers the process, unless it is registered, when the device is opened, and follows the device until
// it is closed.
void follow(Device& device);
void unfollow(Device& device);

// Counts the posted work requests before `end`. Each post and poll counts, only some are shown.
void posted(const ibv_send_wr* wr, const ibv_send_wr* end);
void posted(const ibv_recv_wr* wr, const ibv_recv_wr* end, bool shared);
void polled(const ibv_wc* wc, const transport::WrStamps* stamps, uint32_t n);
void retired(const transport::WrStamps& stamps);

// The QP was modified. Engine lock.
void modified(const QpObject& qp, const ibv_qp_attr& attr, uint32_t mask);
// The QP is about to be destroyed. Engine lock.
void leaving(const QpObject& qp);
// Engine lock or none.
void raised(const AsyncEvent& event);
// Reports a call that failed with this errno, and the reason if it is known.
void send_failed_call(const char* call, int error, const Words& words, bool injected = false);

}  // namespace watch
}  // namespace uroce::verbs
