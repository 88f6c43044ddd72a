// Messages that get lost, and the reports of that: vanished.c.
#include "run_program.h"

namespace {

// Messages to a peer are counted for the agent by the address handle, which other operations do not have.
TEST(Vanished, AnOperationThatDatagramsLackEndsInItsCompletionWithAnAgentToo) {
  FeedListener agent;
  const Outcome outcome = run_program(VANISHED_PROGRAM " ud-opcode", "json", agent.environment());
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(has(agent.said(), "LOC_QP_OP_ERR")) << agent.said();
}

struct Loss {
  const char* name;
  // Texts of each finding.
  std::vector<std::vector<std::string>> findings;
};

class Lost : public testing::TestWithParam<Loss> {};

TEST_P(Lost, IsNamedAndNothingElse) {
  const Outcome outcome = run_program(std::string(VANISHED_PROGRAM " ") + GetParam().name, "json");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const auto found = findings(outcome.report);
  EXPECT_EQ(found.size(), GetParam().findings.size()) << outcome.report;
  for (const auto& parts : GetParam().findings)
    EXPECT_TRUE(one_has(found, parts)) << parts.front() << " is not in " << outcome.report;
}

INSTANTIATE_TEST_SUITE_P(
    Report, Lost,
    testing::Values(
        Loss{"ud-opcode",
             {{"request-failed", "RDMA_WRITE of 64 bytes",
               "completed with LOC_QP_OP_ERR: a UD QP takes SEND and "
               "SEND_WITH_IMM only",
               "SQE"}}},
        Loss{"ud-grh",
             {{"message-dropped", "\"count\":2", "\"call\":\"ibv_post_recv\"",
               " dropped SEND of 64 bytes from QP 0x",
               "wr_id 9, holds 64 bytes, and 40 of them are for the GRH that comes before the data: it needs "
               "104",
               "40 bytes (sizeof(struct ibv_grh)) larger", "\"counter\":\"dropped_messages\""}}},
        Loss{"ud-no-receive",
             {{"message-dropped", "dropped SEND of 64 bytes", "no receive was posted",
               "\"counter\":\"out_of_buffer\""}}},
        Loss{"ud-qkey",
             {{"message-dropped", "\"call\":\"ibv_modify_qp\"",
               "it has Q_Key 0x00000005, and the QP expects 0x11111111", "\"counter\":\"qkey_violations\""}}},
        Loss{"ud-mtu",
             {{"message-dropped", "\"call\":\"ibv_post_send\"", "did not send wr_id 8, SEND of 5000 bytes",
               "longer than the MTU of 4096 bytes", "\"counter\":\"send_err\""}}},
        Loss{"ud-qpn",
             {{"message-dropped", "SEND for QP 0x", "came from 127.0.0.91", "this process has no such QP"}}},
        Loss{"ud-group",
             {{"message-dropped", "SEND to QP 0x",
               "a message to a multicast group needs remote_qpn 0xffffff"}}},
        Loss{"ud-elsewhere",
             {{"message-dropped", "no process of this user at 127.0.0.92 has QPs from 0xabc000"}}},
        Loss{"ud-to-rc",
             {{"message-dropped", "dropped SEND from QP 0x",
               " at 127.0.0.91: a QP of type UD sent it, and this one is of type RC",
               "\"counter\":\"wrong_transport_pkts\""}}},
        Loss{"uc-to-rc",
             {{"message-dropped",
               "dropped SEND from 127.0.0.91: a QP of type UC sent it, and this one is of type RC"}}},
        Loss{"uc-to-ud", {{"message-dropped", "a QP of type UC sent it, and this one is of type UD"}}},
        Loss{"rc-to-ud",
             {{"message-dropped", "\"count\":3", "a QP of type RC sent it, and this one is of type UD"},
              {"request-failed", "acknowledged nothing in 3 tries", "it is of type UD"}}},
        Loss{"ud-early", {{"message-dropped", "the QP is in state INIT and takes messages from RTR on"}}},
        Loss{"uc-short",
             {{"message-dropped", "dropped SEND of 65 bytes from QP 0x", "wr_id 9, holds only 64 bytes"}}},
        Loss{"uc-no-receive", {{"message-dropped", "dropped SEND of 8 bytes", "no receive was posted"}}},
        Loss{"uc-rkey",
             {{"message-dropped", "dropped RDMA_WRITE of 8 bytes to 0x",
               "names no memory region of this process", "Post the request with rkey 0x"}}},
        Loss{"uc-faults",
             {{"\"count\":3,", "it ends 4 bytes past the end of MR 0x"},
              {"\"count\":1,", "it begins 16 bytes before MR 0x"},
              {"\"count\":1,", "was registered without IBV_ACCESS_REMOTE_WRITE"},
              {"\"count\":2,", " is that of MR 0x", "and these bytes are in MR 0x"},
              {"\"count\":1,", "names no memory region of this process, and these bytes are in MR 0x"},
              {"\"count\":1,", "names no memory region of this process\""}}},
        Loss{"psn-behind",
             {{"psn-mismatch", "took PSN 0 of QP 0x", "for a duplicate and dropped it",
               "its rq_psn 1 is beyond the peer's sq_psn"},
              {"psn-mismatch", " at 127.0.0.91 acknowledged wr_id 7, SEND of 64 bytes, as a duplicate",
               "did not execute it (MSN 0)", "its rq_psn is beyond sq_psn 0 of QP 0x", "which is 0."}}},
        Loss{"psn-asked",
             {{"request-failed", "RETRY_EXC_ERR", "it asked for PSN 50 (NAK), and QP 0x",
               "begins with sq_psn 100", "to the same value"}}},
        Loss{"psn-asked-far",
             {{"request-failed", "it asked for PSN 4194304 (NAK)", "begins with sq_psn 9437184"}}},
        Loss{"psn-acknowledged",
             {{"request-failed", "it acknowledged PSN 4999, which QP 0x",
               "never sent: it begins with sq_psn 0"},
              {"psn-mismatch", "its rq_psn 5000 is beyond"}}},
        Loss{"atomic",
             {{"request-failed", "an atomic returns 8 bytes, and its SGEs hold 4", "exactly 8 bytes"}}},
        Loss{"timeout", {{"waits-forever", "\"kind\":\"QP\"", "and its timeout is 0: it waits forever"}}}),
    [](const auto& info) {
      std::string name = info.param.name;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

// The sender knows that no process has such a number. The kernel may give the packets to any process of the
// address, which reports it too.
TEST(Vanished, ToANumberThatNoProcessHasIsSaidWhereItWasPosted) {
  const std::string management = "queue pair 1 takes management datagrams only";
  const std::string multicast = "0xffffff is the number for multicast groups";
  const std::string none = "no process of this user at 127.0.0.91 has QPs from 0xabc000 to 0xabcfff";
  const std::vector<std::pair<const char*, std::vector<std::string>>> losses{
      {"ud-nobody", {"message-dropped", "wr_id 7, SEND to QP 0xabc005, was sent and got lost: " + none}},
      {"ud-management", {"message-dropped", "SEND to QP 0x000001, was sent and got lost: " + management}},
      {"ud-multicast", {"message-dropped", "SEND to QP 0xffffff, was sent and got lost: " + multicast}},
      {"uc-nobody",
       {"message-dropped", "wr_id 8, RDMA_WRITE to QP 0xabc005, was sent and got lost: " + none}},
      {"rc-nobody", {"request-failed", "acknowledged nothing in 3 tries (retry_cnt 2, timeout 8); " + none}}};
  for (const auto& [name, sender] : losses) {
    const Outcome outcome = run_program(std::string(VANISHED_PROGRAM " ") + name, "json");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    const auto found = findings(outcome.report);
    EXPECT_TRUE(one_has(found, sender)) << outcome.report;
    for (const std::string& other : found) {
      EXPECT_TRUE(one_has({other}, sender) ||
                  one_has({other}, {"for QP 0xabc005 came from 127.0.0.91", "this process has no such QP"}) ||
                  one_has({other}, {"for QP 0x000001 came from 127.0.0.91, and " + management}) ||
                  one_has({other}, {"for QP 0xffffff came from 127.0.0.91, and " + multicast}))
          << other;
    }
  }
}

}  // namespace
