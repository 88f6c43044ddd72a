// The verbs side of the misuse report. All of it only while report::on(): a context made then posts through
// watched operations, so that posting costs nothing otherwise.
#pragma once

#include <optional>

#include "uroce/report/report.h"
#include "uroce/types.h"
#include "uroce/verbs/abi/abi.h"

namespace uroce::transport {
class Qp;
struct FailedWork;
struct RefusedRequest;
struct LostMessage;
}  // namespace uroce::transport

namespace uroce::verbs {

class Device;
struct AsyncEvent;
struct CqObject;
struct QpObject;

namespace watch {

// Replaces the operations of the context by the watched ones.
void context(ibv_context& context);
// Replaces post_all().
int post_gathered(QpObject* qp, ibv_send_wr* wr);

// Checks requests posted to an unreliable QP: those that reach no process are lost, and complete with
// success.
void sent_unreliably(QpObject& qp, const ibv_send_wr* wr, const ibv_send_wr* end,
                     const report::Caller& where);
// Sets the place in the program of the calling thread's next posts.
void posting_from(const report::Caller& caller);
// Forgets a QP that was reset or destroyed.
void forget(const QpObject* qp);
// Reports completions that the program will not see: all of the CQ, or those of one queue pair. Engine
// lock.
void closing(const CqObject& cq, std::optional<uint32_t> qpn = {});
// A work request failed. Engine lock.
void failed(const transport::Qp& qp, const transport::FailedWork& work);
// A peer's request was refused, or its message dropped. Engine lock.
void refused(const transport::Qp& qp, const transport::RefusedRequest& request);
// A message came for no QP of this process. Engine lock.
void lost(const transport::LostMessage& message);
// A datagram was too long to be sent. Engine lock.
void unsent(const transport::Qp& qp, const transport::FailedWork& work);
// A request was taken for a duplicate, though none had come. Engine lock.
void mismatched(const transport::Qp& qp, uint32_t psn);
// The peer has taken this request for a duplicate. Engine lock.
void unexecuted(const transport::Qp& qp, const transport::FailedWork& work);
// A QP without a timeout has waited this long; printed whether or not the report is on. Engine lock.
void waiting(const transport::Qp& qp, uint64_t ns);
// Adds what the peer failed to do, for the two statuses of a silent peer. Engine lock.
void explain_silence(Device& device, const transport::Qp& qp, WcStatus status, report::Note& note);
// Sets the reason why the peer does not answer, and the cure, as far as they are known. Engine lock.
void why_silent(Device& device, const transport::Qp& qp, report::Note& note);
void rnr_nak(const transport::Qp& qp, bool sent);
void overrun(const CqObject& cq);

// The program will not read this asynchronous event any more.
void unread(const AsyncEvent& event);
// The CQ is polled. from: no place if unknown.
void polls(CqObject& cq, const report::Caller& from);
// The program got these completions.
void polled(const ibv_wc* wc, int n);

// True if this SGE is reported already. Called when a work request fails; forgets the entry.
bool pop_flagged(const void* queue, uint64_t wr_id);
// Place of the post of the send WR with that index; no place if unknown. Engine lock.
report::Caller posted_from(const QpObject* qp, uint32_t wqe);
// Adds the findings that only the end shows.
void inspect(report::Ledger& ledger, int signal);

}  // namespace watch
}  // namespace uroce::verbs
