// Words for values, and rates, as rdma-core has them: a program that looks them up in this library, which it takes for
// libibverbs, finds them here. A linked one may have them from either.
#include <iterator>

#include "uroce/verbs/abi/abi.h"

namespace {

constexpr const char* kUnknown = "unknown";

constexpr const char* kNodes[] = {nullptr,
                                  "InfiniBand channel adapter",
                                  "InfiniBand switch",
                                  "InfiniBand router",
                                  "iWARP NIC",
                                  "usNIC",
                                  "usNIC UDP",
                                  "unspecified"};
constexpr const char* kPortStates[] = {"no state change (NOP)", "down", "init", "armed", "active",
                                       "active defer"};
constexpr const char* kEvents[] = {"CQ error",
                                   "local work queue catastrophic error",
                                   "invalid request local work queue error",
                                   "local access violation work queue error",
                                   "communication established",
                                   "send queue drained",
                                   "path migrated",
                                   "path migration request error",
                                   "local catastrophic error",
                                   "port active",
                                   "port error",
                                   "LID change",
                                   "P_Key change",
                                   "SM change",
                                   "SRQ catastrophic error",
                                   "SRQ limit reached",
                                   "last WQE reached",
                                   "client reregistration",
                                   "GID table change",
                                   "WQ fatal"};
constexpr const char* kStatuses[] = {"success",
                                     "local length error",
                                     "local QP operation error",
                                     "local EE context operation error",
                                     "local protection error",
                                     "Work Request Flushed Error",
                                     "memory management operation error",
                                     "bad response error",
                                     "local access error",
                                     "remote invalid request error",
                                     "remote access error",
                                     "remote operation error",
                                     "transport retry counter exceeded",
                                     "RNR retry counter exceeded",
                                     "local RDD violation error",
                                     "remote invalid RD request",
                                     "aborted error",
                                     "invalid EE context number",
                                     "invalid EE context state",
                                     "fatal error",
                                     "response timeout error",
                                     "general error",
                                     "TM error",
                                     "TM software rendezvous"};

template <size_t N>
const char* word(const char* const (&words)[N], int value) {
  return value >= 0 && static_cast<size_t>(value) < N && words[value] != nullptr ? words[value] : kUnknown;
}

// mult: of 2.5 Gb/s per lane, 0 where rdma-core knows none.
struct Rate {
  ibv_rate rate;
  int mult, mbps;
};
constexpr Rate kRates[] = {
    {IBV_RATE_2_5_GBPS, 1, 2500},     {IBV_RATE_5_GBPS, 2, 5000},        {IBV_RATE_10_GBPS, 4, 10000},
    {IBV_RATE_20_GBPS, 8, 20000},     {IBV_RATE_30_GBPS, 12, 30000},     {IBV_RATE_40_GBPS, 16, 40000},
    {IBV_RATE_60_GBPS, 24, 60000},    {IBV_RATE_80_GBPS, 32, 80000},     {IBV_RATE_120_GBPS, 48, 120000},
    {IBV_RATE_14_GBPS, 0, 14062},     {IBV_RATE_56_GBPS, 0, 56250},      {IBV_RATE_112_GBPS, 0, 112500},
    {IBV_RATE_168_GBPS, 0, 168750},   {IBV_RATE_25_GBPS, 0, 25781},      {IBV_RATE_100_GBPS, 0, 103125},
    {IBV_RATE_200_GBPS, 0, 206250},   {IBV_RATE_300_GBPS, 0, 309375},    {IBV_RATE_28_GBPS, 11, 28125},
    {IBV_RATE_50_GBPS, 20, 53125},    {IBV_RATE_400_GBPS, 160, 425000},  {IBV_RATE_600_GBPS, 240, 637500},
    {IBV_RATE_800_GBPS, 320, 850000}, {IBV_RATE_1200_GBPS, 480, 1275000}};

int or_none(int value) { return value == 0 ? -1 : value; }

ibv_rate rate_where(int Rate::* member, int value) {
  for (const Rate& one : kRates) {
    if (value != 0 && one.*member == value) return one.rate;
  }
  return IBV_RATE_MAX;
}

int of_rate(int Rate::* member, ibv_rate rate) {
  for (const Rate& one : kRates) {
    if (one.rate == rate) return or_none(one.*member);
  }
  return -1;
}

}  // namespace

extern "C" {

const char* ibv_node_type_str(ibv_node_type type) { return word(kNodes, type); }
const char* ibv_port_state_str(ibv_port_state state) { return word(kPortStates, state); }
const char* ibv_event_type_str(ibv_event_type event) { return word(kEvents, event); }
const char* ibv_wc_status_str(ibv_wc_status status) { return word(kStatuses, status); }

int ibv_rate_to_mult(ibv_rate rate) { return of_rate(&Rate::mult, rate); }
int ibv_rate_to_mbps(ibv_rate rate) { return of_rate(&Rate::mbps, rate); }
ibv_rate mult_to_ibv_rate(int mult) { return rate_where(&Rate::mult, mult); }
ibv_rate mbps_to_ibv_rate(int mbps) { return rate_where(&Rate::mbps, mbps); }

}  // extern "C"
