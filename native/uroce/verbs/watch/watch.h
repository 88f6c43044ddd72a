// What the misuse report sees of verbs. All of it only while report::on(): a context made then posts through
// watched operations, so that posting costs nothing otherwise.
#pragma once

#include <optional>

#include "uroce/report/report.h"
#include "uroce/transport/types.h"
#include "uroce/verbs/abi/abi.h"

namespace uroce {

class Qp;
struct CqObject;
struct QpObject;

namespace watch {

// Puts the watched operations in place of those that stand there.
void context(ibv_context& context);
// In place of post_all().
int post_gathered(QpObject* qp, ibv_send_wr* wr);

// The QP went through RESET, or away.
void forget(const QpObject* qp);
// The program will not see these completions: all of the CQ, or those of one queue pair. Engine lock.
void closing(const CqObject& cq, std::optional<uint32_t> qpn = {});
// A work request failed for a reason that was not seen when it was posted. Engine lock.
void failed(const Qp& qp, uint64_t wr_id, WcStatus status, bool send);
void rnr_nak(const Qp& qp, bool sent);
void overrun(const CqObject& cq);

// Is this SGE reported already? Asked when a work request fails; forgets it.
bool take_flagged(const void* queue, uint64_t wr_id);
// What only the end shows.
void inspect(report::Ledger& ledger);

}  // namespace watch
}  // namespace uroce
