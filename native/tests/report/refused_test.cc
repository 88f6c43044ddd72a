// Calls that are refused name the reason: once on stderr, in the report, and to an agent: refused.c.
#include "run_program.h"

namespace {

struct Refusals {
  const char* name;
  struct One {
    std::string call;
    std::string why;   // what is wrong, with its figures
    std::string cure;  // a part of it
    uint64_t count = 1;
    std::string id = "call-refused";
  };
  std::vector<One> all;
};

// Lines of this call and reason.
std::size_t lines_of(const std::string& text, const std::string& call, const std::string& why) {
  std::istringstream all(text);
  std::size_t n = 0;
  for (std::string line; std::getline(all, line);)
    n += line.starts_with("uroce: " + call + " failed (") && has(line, "): " + why);
  return n;
}

class Refused : public testing::TestWithParam<Refusals> {};

TEST_P(Refused, SaysWhyOnceOnStderrInTheReportAndToAnAgent) {
  const Refusals& wanted = GetParam();
  FeedListener agent;
  const Outcome outcome =
      run_program(std::string(REFUSED_PROGRAM " ") + wanted.name, "json", agent.environment());
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const auto found = findings(outcome.report);
  std::size_t expected = 0;
  for (const auto& one : wanted.all) {
    const bool misuse = !one.id.empty();
    expected += misuse;
    EXPECT_EQ(lines_of(outcome.errors, one.call, one.why), 1u) << one.why << ": " << outcome.errors;
    if (one.count > 1) {
      EXPECT_TRUE(has(outcome.errors, std::to_string(one.count) + " times in all: " + one.call))
          << outcome.errors;
    }
    EXPECT_TRUE(has(agent.said(), "\"reason\":\"" + one.why)) << one.why;
    if (misuse) {
      EXPECT_TRUE(one_has(
          found, {"\"id\":\"" + one.id + "\"", "\"call\":\"" + one.call + "\"",
                  "\"count\":" + std::to_string(one.count) + ",", "\"detail\":\"" + one.why, one.cure}))
          << one.why << " is not in " << outcome.report;
    }
  }
  EXPECT_EQ(found.size(), expected) << outcome.report;
}

TEST(Refusals, OfALibraryThatLooksForALimitAreToldNowhere) {
  for (const auto& [what, words] :
       {std::pair(" probed", "max_inline_data is "), std::pair(" filled", "entries of the receive queue")}) {
    FeedListener agent;
    const Outcome outcome = run_program(std::string(REFUSED_PROGRAM) + what, "json", agent.environment());
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.errors, "");
    EXPECT_TRUE(has(outcome.report, "\"findings\":[]")) << outcome.report;
    EXPECT_TRUE(has(agent.said(), "\"kind\":\"QP\"")) << agent.said();
    EXPECT_FALSE(has(agent.said(), words)) << agent.said();
  }
}

using Ones = std::vector<Refusals::One>;
const char* const kModify = "ibv_modify_qp";
const char* const kPost = "ibv_post_send";

INSTANTIATE_TEST_SUITE_P(
    Report, Refused,
    testing::Values(
        Refusals{
            "rtr",
            {{kModify, "ah_attr.is_global is 0: RoCE has no LIDs", "Set is_global to 1"},
             {kModify, "grh.sgid_index is 3, and that entry of the GID table is empty",
              "ibv_query_gid_table"},
             {kModify, "grh.dgid is an IPv6 address and the GID at sgid_index 1 is an IPv4 address",
              "one family"},
             {kModify, "grh.dgid is all zero", "ibv_query_gid"},
             {kModify, "ah_attr.port_num is 0", "to 1"},
             {kModify, "the step from INIT to RTR also needs min_rnr_timer (IBV_QP_MIN_RNR_TIMER)",
              "attr_mask"},
             {kModify, "the step from INIT to RTR also needs dest_qp_num (IBV_QP_DEST_QPN)", "attr_mask"},
             {kModify, "the step from INIT to RTR does not take timeout (IBV_QP_TIMEOUT)", "attr_mask"},
             {kModify, "path_mtu is 1024, which is no value of enum ibv_mtu", "IBV_MTU_4096"},
             {kModify, "RC QPs do not go from INIT to RTS in one step", "RTR"},
             {kModify, "max_dest_rd_atomic is 200, more than the device's 128 (max_qp_rd_atom)", "128"},
             {kModify, "min_rnr_timer is 32, and its largest value is 31", "31"},
             {kModify, "pkey_index is 1", "0"},
             {kModify, "dest_qp_num is 0x1000000, and QP numbers have 24 bits", "byte order", 1000}}},
        Refusals{"queues",
                 {{"ibv_create_qp", "send_cq or recv_cq is null", "ibv_create_cq"},
                  {"ibv_create_qp", "cap.max_send_wr is 1048576, more than the device's ", "at most"},
                  {"ibv_create_qp", "cap.max_recv_wr is 1048576, more than the device's ", "at most"},
                  {"ibv_create_qp", "cap.max_send_sge is 33, more than the device's 32 (max_sge)", "32"},
                  {"ibv_create_qp", "cap.max_recv_sge is 33, more than the device's 32 (max_sge)", "32"},
                  {"ibv_create_qp", "cap.max_inline_data is 1048576, more than the device's ", "at most"},
                  {"ibv_create_qp", "qp_type 8 is none of those of this device", "IBV_QPT_RC"},
                  {"ibv_create_cq", "cqe is 0", "one entry"},
                  {"ibv_create_cq", "cqe is 1073741824, more than the device's ", "at most"},
                  {"ibv_create_cq", "comp_vector is 1, and the context has 1", "num_comp_vectors"},
                  {"ibv_resize_cq", "cqe is 0", "one entry"},
                  {"ibv_create_srq", "attr.max_wr is 0", "at least one"},
                  {"ibv_modify_srq", "srq_limit is 5, more than max_wr 4", "at most max_wr"},
                  {"ibv_post_srq_recv", "the WR has 2 SGEs, and the SRQ was created for 1 (max_sge)",
                   "fewer SGEs", 1, "post-invalid"},
                  {"ibv_destroy_srq", "other objects still use it (QPs)", "Destroy those first"},
                  {"ibv_post_srq_recv", "all 4 entries of the shared receive queue are in use",
                   "Let messages take receives", 1, "queue-full"},
                  {"ibv_post_recv", "the QP was created with an SRQ and has no receive queue of its own",
                   "ibv_post_srq_recv", 1, "post-invalid"},
                  {"ibv_attach_mcast", "the QP is of type RC, and only UD QPs", "IBV_QPT_UD"}}},
        Refusals{
            "memory",
            {{"ibv_reg_mr",
              "IBV_ACCESS_REMOTE_WRITE and IBV_ACCESS_REMOTE_ATOMIC need IBV_ACCESS_LOCAL_WRITE",
              "IBV_ACCESS_LOCAL_WRITE"},
             {"ibv_reg_mr", "access has bits that this device does not have (0x8000)", "ibv_access_flags"},
             {"ibv_reg_mr", "not all of the ", "Allocate the whole range", 2},
             {"ibv_create_ah", "ah_attr.is_global is 0", "Set is_global to 1"},
             {"ibv_create_ah", "grh.sgid_index is 7, and that entry of the GID table is empty",
              "ibv_devinfo"},
             {"ibv_query_gid", "port 2 was asked for, and the device has port 1 only", "port number 1"},
             {"ibv_query_gid", "index 5000 is beyond the GID table, which has ", "gid_tbl_len"},
             {"ibv_dealloc_pd", "other objects still use it (MRs", "Destroy those first"},
             {"ibv_alloc_parent_domain", "attr.pd is a parent domain itself", "ibv_alloc_pd"},
             {"ibv_dealloc_pd", "other objects still use it (parent domains)", "Destroy those first"}}},
        Refusals{
            "posts",
            {{kPost, "the WR has 65 bytes inline, and the QP was created for 32 (max_inline_data)",
              "max_inline_data", 1, "post-invalid"},
             {kPost, "IBV_SEND_INLINE is set on RDMA_READ", "only on SEND", 1, "post-invalid"},
             {kPost, "the WR has 3 SGEs, and the QP was created for 2 (max_send_sge)", "fewer SGEs", 1,
              "post-invalid"},
             {kPost, "the device does not have the operation of opcode 10", "RDMA_WRITE", 1, "post-invalid"},
             {kPost, "the message has 2147483649 bytes, more than the port's max_msg_sz of ", "Split it", 1,
              "post-invalid"},
             {"ibv_post_recv", "all 8 entries of the receive queue are in use (max_recv_wr)",
              "and wr_id 9 was not posted again", 2, "queue-full"}}},
        Refusals{
            "states",
            {{"ibv_post_recv", "the QP is in state RESET, and receives need INIT", "ibv_modify_qp", 1,
              "post-wrong-state"},
             {kPost, "the QP is in state RESET, and sends need RTS", "ibv_modify_qp", 1, "post-wrong-state"},
             {kPost, "the QP is in state INIT, and sends need RTS", "ibv_modify_qp", 2, "post-wrong-state"}}},
        Refusals{
            "gave-up",
            {{"ibv_create_qp", "cap.max_inline_data is 1048576, more than the device's ", "at most", 2}}},
        Refusals{"datagrams", {{kPost, "wr.ud.ah is null", "ibv_create_ah", 1, "post-invalid"}}},
        Refusals{
            "connections",
            {{"rdma_connect", "the ID is idle, and the call needs one that is resolved to a route",
              "in their order"},
             {"rdma_resolve_route", "the ID is idle, and the call needs one that is resolved to an address",
              "in their order"},
             {"rdma_set_option", "optval is null or optlen is 1, and the option has 4 bytes", "of that size"},
             {"rdma_set_option", "the device has no option 99 of level 0", "rdma_set_option(3)"},
             {"rdma_join_multicast", "the address is neither IPv4 nor IPv6 (sa_family 1)", "AF_INET"},
             {"rdma_bind_addr", "the address is one of InfiniBand (AF_IB)", "AF_INET6"},
             {"rdma_create_qp", "qp_type is UD, and an ID of this port space has RC or UC QPs",
              "RDMA_PS_UDP"},
             {"rdma_bind_addr", "the address is none of this device", "UROCE_ADDR"},
             {"rdma_connect", "responder_resources is 200, more than the device's 128", "at most 128"},
             {"rdma_connect", "nobody listens on port 20886 there", "Start the server first"}}}),
    [](const auto& info) {
      std::string name = info.param.name;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

}  // namespace
