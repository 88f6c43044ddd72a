#include "uroce/verbs/abi/names.h"

#include <cstddef>
#include <iterator>

namespace uroce::verbs {
namespace {

constexpr const char* kStates[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
constexpr const char* kStatuses[] = {
    "SUCCESS",          "LOC_LEN_ERR",       "LOC_QP_OP_ERR",     "LOC_EEC_OP_ERR",
    "LOC_PROT_ERR",     "WR_FLUSH_ERR",      "MW_BIND_ERR",       "BAD_RESP_ERR",
    "LOC_ACCESS_ERR",   "REM_INV_REQ_ERR",   "REM_ACCESS_ERR",    "REM_OP_ERR",
    "RETRY_EXC_ERR",    "RNR_RETRY_EXC_ERR", "LOC_RDD_VIOL_ERR",  "REM_INV_RD_REQ_ERR",
    "REM_ABORT_ERR",    "INV_EECN_ERR",      "INV_EEC_STATE_ERR", "FATAL_ERR",
    "RESP_TIMEOUT_ERR", "GENERAL_ERR"};
static_assert(std::size(kStatuses) == kStatusCount);
constexpr const char* kOpcodes[] = {
    "RDMA_WRITE",         "RDMA_WRITE_WITH_IMM",  "SEND",      "SEND_WITH_IMM", "RDMA_READ",
    "ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD", "LOCAL_INV", "BIND_MW",       "SEND_WITH_INV"};
constexpr const char* kEvents[] = {"CQ_ERR",
                                   "QP_FATAL",
                                   "QP_REQ_ERR",
                                   "QP_ACCESS_ERR",
                                   "COMM_EST",
                                   "SQ_DRAINED",
                                   "PATH_MIG",
                                   "PATH_MIG_ERR",
                                   "DEVICE_FATAL",
                                   "PORT_ACTIVE",
                                   "PORT_ERR",
                                   "LID_CHANGE",
                                   "PKEY_CHANGE",
                                   "SM_CHANGE",
                                   "SRQ_ERR",
                                   "SRQ_LIMIT_REACHED",
                                   "QP_LAST_WQE_REACHED",
                                   "CLIENT_REREGISTER",
                                   "GID_CHANGE",
                                   "WQ_FATAL"};

template <std::size_t N>
const char* pick(const char* const (&names)[N], std::size_t i) {
  return i < N ? names[i] : "UNKNOWN";
}

}  // namespace

const char* state_name(QpState state) { return pick(kStates, static_cast<std::size_t>(state)); }
const char* status_name(uint32_t status) { return pick(kStatuses, status); }
const char* wr_opcode_name(uint32_t opcode) { return pick(kOpcodes, opcode); }
const char* event_name(ibv_event_type type) { return pick(kEvents, static_cast<std::size_t>(type)); }

const char* qp_type_name(ibv_qp_type type) {
  switch (type) {
    case IBV_QPT_RC:
      return "RC";
    case IBV_QPT_UC:
      return "UC";
    case IBV_QPT_UD:
      return "UD";
    default:
      return "UNKNOWN";
  }
}

}  // namespace uroce::verbs
