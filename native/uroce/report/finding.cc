#include "uroce/report/finding.h"

namespace uroce::report {
namespace {

struct MisuseText {
  const char* id;
  const char* cure;
};

constexpr MisuseText kMisuses[] = {
    {"object-leaked", nullptr},  // by kind
    {"post-wrong-state",
     "Post sends from RTS on and receives from INIT on: move the QP there with ibv_modify_qp first, and "
     "check its return value."},
    {"post-invalid",
     "Use only opcodes of the QP's type. Stay within max_send_sge, max_recv_sge and max_inline_data of "
     "ibv_create_qp, and within max_msg_sz of the port."},
    {"sge-outside-mr",
     "Give each SGE the lkey of an MR of the same PD that covers all its bytes, with IBV_ACCESS_LOCAL_WRITE "
     "where the device writes, and keep the MR until the WR has completed."},
    {"send-queue-unsignaled",
     "Set IBV_SEND_SIGNALED on at least one WR in every max_send_wr, and poll its completion before you post "
     "more."},
    {"cq-overrun",
     "Make the CQ at least as large as all work queues that complete into it together, or poll it before "
     "posting more."},
    {"rnr-storm-sent",
     "Post receives before the peer sends, and more of them, or use an SRQ with a limit event."},
    {"rnr-storm-received",
     "Have the peer post more receives, or send no more than it has granted (credits)."},
    {"registration-churn", "Register buffers once and reuse the MRs: each registration costs system calls."},
    {"completion-error-unpolled",
     "Poll every CQ until it is empty before you destroy it, and check the status of each completion."},
    {"event-unacknowledged",
     "Acknowledge every event that you get, with ibv_ack_cq_events, ibv_ack_async_event or "
     "rdma_ack_cm_event: destroying the object waits for it."},
    {"request-failed", "Handle the failed completion: the QP is in ERR and must be connected again."},
    {"request-refused", "Have the peer send only requests that this side allows."},
    {"memory-gone", "Call ibv_dereg_mr before you free, unmap, truncate or protect the memory."},
    {"system-library-loaded", "Leave UROCE_LOAD=system out: dlopen() then gives the program the device."},
    {"call-refused", "Check the return value of the call."},
    {"message-dropped", "Send what the receiver has room and rights for: it drops the rest."},
    {"psn-mismatch", "Set rq_psn to the sq_psn of the peer."},
    {"waits-forever", "Set timeout to a value from 1 on, 14 for example (67 ms), so that a dead peer shows."},
    {"completion-unpolled", "Poll this CQ until it is empty."},
    {"destroy-waits", "Acknowledge every event that you get."},
    {"queue-full", "Poll completions before you post more, or create the queue larger."},
    {"async-event-unread",
     "Read asynchronous events with ibv_get_async_event, in a thread of its own or when async_fd is "
     "readable: "
     "the object does not work any more."},
};

constexpr KindText kKinds[] = {
    {"context", "ibv_open_device", "ibv_close_device"},
    {"PD", "ibv_alloc_pd", "ibv_dealloc_pd"},
    {"MR", "ibv_reg_mr", "ibv_dereg_mr"},
    {"MW", "ibv_alloc_mw", "ibv_dealloc_mw"},
    {"CQ", "ibv_create_cq", "ibv_destroy_cq"},
    {"QP", "ibv_create_qp", "ibv_destroy_qp"},
    {"SRQ", "ibv_create_srq", "ibv_destroy_srq"},
    {"AH", "ibv_create_ah", "ibv_destroy_ah"},
    {"completion channel", "ibv_create_comp_channel", "ibv_destroy_comp_channel"},
    {"thread domain", "ibv_alloc_td", "ibv_dealloc_td"},
    {"parent domain", "ibv_alloc_parent_domain", "ibv_dealloc_pd"},
    {"CM id", "rdma_create_id", "rdma_destroy_id"},
    {"CM event channel", "rdma_create_event_channel", "rdma_destroy_event_channel"},
    {"library", "dlopen", "dlclose"},
};

}  // namespace

const char* id_of(Misuse misuse) { return kMisuses[static_cast<std::size_t>(misuse)].id; }

const KindText& text_of(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string cure_by(const std::string& destroy, uint64_t count) {
  return "Call " + destroy + (count > 1 ? " on each before exit." : " before exit.");
}

std::string cure_of(const Finding& finding) {
  if (!finding.cure.empty()) return finding.cure;
  if (const char* cure = kMisuses[static_cast<std::size_t>(finding.misuse)].cure) return cure;
  return cure_by(text_of(finding.kind).destroy, finding.count);
}

}  // namespace uroce::report
