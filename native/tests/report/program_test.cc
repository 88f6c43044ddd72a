// Programs that misuse verbs end, and the report names exactly their misuse. They use the device and the
// exit of a real process: misuse.c.
#include <cstdio>
#include <utility>

#include "run_program.h"

namespace {

Outcome run(const std::string& misuse, const std::string& format, const std::string& environment = "") {
  return run_program(MISUSE_PROGRAM " " + misuse, format, environment);
}

struct Case {
  const char* misuse;
  // Texts that each finding must contain.
  std::vector<std::vector<std::string>> findings;
};

// No program of these reads asynchronous events.
const std::vector<std::string> kUnread = {"async-event-unread", "\"call\":\"ibv_get_async_event\"",
                                          " was never read"};

class Misused : public testing::TestWithParam<Case> {};

TEST_P(Misused, IsReportedAndNothingElse) {
  const Case& wanted = GetParam();
  const Outcome outcome = run(wanted.misuse, "json");
  EXPECT_EQ(outcome.status, 0);
  const std::vector<std::string> found = findings(outcome.report);
  ASSERT_EQ(found.size(), wanted.findings.size()) << outcome.report;
  for (const auto& parts : wanted.findings)
    EXPECT_TRUE(one_has(found, parts)) << parts.front() << " is not in " << outcome.report;
}

INSTANTIATE_TEST_SUITE_P(
    Report, Misused,
    testing::Values(
        Case{"clean", {}}, Case{"forked", {}},
        Case{"leak",
             {{"object-leaked", "\"call\":\"ibv_alloc_pd\"", "\"kind\":\"PD\"", "\"count\":3",
               "\"function\":\"make_leaks\""},
              {"object-leaked", "\"call\":\"ibv_alloc_pd\"", "\"count\":1", "was never destroyed"},
              {"object-leaked", "\"call\":\"ibv_reg_mr\"", "\"kind\":\"MR\"", "\"function\":\"make_leaks\"",
               "ibv_dereg_mr"}}},
        Case{"cm-leak",
             {{"object-leaked", "\"kind\":\"CM event channel\"", "rdma_destroy_event_channel",
               "\"function\":\"leave_ids\""},
              {"object-leaked", "\"call\":\"rdma_create_id\"", "CM id #1", "\"count\":1"},
              {"object-leaked", "\"call\":\"rdma_create_id\"", "CM id #2", "rdma_destroy_id before exit"}}},
        Case{"cm-endpoint",
             {{"object-leaked", "\"call\":\"rdma_create_ep\"", "CM id #1", "\"count\":1",
               "Call rdma_destroy_ep before exit"},
              {"object-leaked", "\"call\":\"rdma_create_id\"", "CM id #2", "rdma_destroy_id before exit"},
              {"object-leaked", "\"call\":\"rdma_create_qp\"", "\"kind\":\"QP\"",
               "Call rdma_destroy_qp before exit"}}},
        Case{"wrong-state",
             {{"post-wrong-state", "\"call\":\"ibv_post_send\"", "\"kind\":\"QP\"", "\"count\":2",
               "state INIT"},
              {"post-wrong-state", "\"call\":\"ibv_post_recv\"", "\"count\":1", "state RESET"}}},
        Case{"invalid", {{"post-invalid", "\"call\":\"ibv_post_send\"", "3 SGEs"}}},
        Case{"sge-post",
             {{"sge-outside-mr", "\"call\":\"ibv_post_send\"", "\"count\":1", "SGE 0: 64 bytes at",
               "4096 bytes"}}},
        Case{"sge-execution",
             {{"sge-outside-mr", "\"call\":\"ibv_post_recv\"", "\"count\":1",
               "no longer when it was executed"},
              {"request-failed", "wr_id 7, SEND of 64 bytes, completed with REM_OP_ERR"},
              kUnread}},
        Case{"unmapped",
             {{"request-refused", "\"call\":\"ibv_reg_mr\"", "the memory of this region is gone: MR 0x",
               "Call ibv_dereg_mr before you free, unmap"},
              {"request-failed", "completed with REM_OP_ERR"},
              kUnread}},
        Case{"unmapped-receive",
             {{"memory-gone", "\"call\":\"ibv_reg_mr\"", "the memory of this region is gone: MR 0x",
               "Call ibv_dereg_mr before you free, unmap", "\"opcode\":\"RECV\""},
              {"request-failed", "completed with REM_OP_ERR"},
              kUnread}},
        Case{"unsignaled",
             {{"send-queue-unsignaled", "\"kind\":\"QP\"", "hold unsignaled WRs", "IBV_SEND_SIGNALED"}}},
        Case{"forgotten",
             {{"queue-full", "\"call\":\"ibv_post_send\"", "\"kind\":\"QP\"", "\"count\":1,",
               "all 8 entries of the send queue are in use (max_send_wr), and wr_id 108 was not posted again",
               "and those of unsignaled WRs before it", "\"where\":{"},
              {"queue-full", "\"call\":\"ibv_post_srq_recv\"", "\"kind\":\"SRQ\"", "\"count\":1,",
               "all 2 entries of the shared receive queue are in use", "wr_id 203 was not posted again"}}},
        Case{"overrun", {{"cq-overrun", "\"kind\":\"CQ\"", "full (capacity 2)", "\"function\":"}}},
        Case{"rnr",
             {{"rnr-storm-sent", "\"call\":\"ibv_post_recv\""},
              {"rnr-storm-received", "\"call\":\"ibv_post_send\""}}},
        Case{"churn", {{"registration-churn", "\"call\":\"ibv_reg_mr\""}}},
        Case{"unpolled",
             {{"completion-error-unpolled", "\"kind\":\"CQ\"", "\"count\":1", "IBV_WC_REM_ACCESS_ERR",
               "wr_id 77"},
              {"request-failed", "wr_id 77, RDMA_WRITE of 8 bytes to 0x1 with rkey 0x"},
              {"request-refused", ": it begins ", " bytes before MR 0x", "\"kind\":\"MR\""},
              kUnread}},
        Case{"bad-rkey",
             {{"request-failed", "\"call\":\"ibv_post_send\"", "\"outer\":\"0x",
               "wr_id 4711, RDMA_WRITE of 64 bytes to 0x", "\"wrId\":\"4711\"",
               "\"status\":\"REM_ACCESS_ERR\"", "\"psn\":1"},
              {"request-refused", "\"kind\":\"QP\"", "refused RDMA_WRITE of 64 bytes to 0x",
               " names no memory region of this process, and these bytes are in MR 0x",
               "Post the request with rkey 0x", "\"psn\":1"},
              kUnread}},
        Case{"past-end",
             {{"request-failed"},
              {"request-refused", "\"kind\":\"MR\"", "\"call\":\"ibv_reg_mr\"",
               ": it ends 16 bytes past the end of MR 0x", " (4096 bytes at 0x", "at most 48 bytes"},
              kUnread}},
        Case{"no-right",
             {{"request-failed", "RDMA_READ of 64 bytes from 0x"},
              {"request-refused", "\"kind\":\"MR\"", "was registered without IBV_ACCESS_REMOTE_READ",
               "Register it with IBV_ACCESS_REMOTE_READ."},
              kUnread}},
        Case{"qp-access",
             {{"request-failed", "REM_INV_REQ_ERR"},
              {"request-refused", "\"kind\":\"QP\"", "\"call\":\"ibv_modify_qp\"",
               " has no IBV_ACCESS_REMOTE_READ in qp_access_flags"},
              kUnread}},
        Case{"other-pd",
             {{"request-failed"},
              {"request-refused", "\"kind\":\"MR\"", "belongs to another PD than QP 0x"},
              kUnread}},
        Case{"deregistered",
             {{"request-failed"},
              {"request-refused", "the MR of rkey 0x", " was deregistered ", "Call ibv_dereg_mr only when"},
              kUnread}},
        Case{"short-receive",
             {{"request-failed", "REM_INV_REQ_ERR"},
              {"request-refused", "refused SEND of 65 bytes",
               "the receive it found, wr_id 9, holds only 64 bytes", "\"call\":\"ibv_post_recv\""},
              kUnread}},
        Case{"no-receive",
             {{"request-failed", "completed with RNR_RETRY_EXC_ERR: QP 0x",
               "had no receive posted, at the first try and at 2 more (rnr_retry)"}}},
        Case{"no-reads", {{"request-failed", "completed with LOC_QP_OP_ERR: QP 0x", " has max_rd_atomic 0"}}},
        Case{"uc-reads",
             {{"request-failed", "completed with LOC_QP_OP_ERR: a UC QP takes SEND and RDMA_WRITE"}}},
        Case{"ud-reads",
             {{"request-failed", "completed with LOC_QP_OP_ERR: a UD QP takes SEND and SEND_WITH_IMM only"}}},
        Case{"windows",
             {{"request-failed", "MW_BIND_ERR: MR 0x", " was registered without IBV_ACCESS_MW_BIND"},
              {"request-failed", "MW_BIND_ERR: the bytes of the window are not all within MR 0x"},
              {"request-failed", "MW_BIND_ERR: rkey 0x",
               " is that of an MR, and only memory windows of type 2"},
              {"request-failed", "RETRY_EXC_ERR", "acknowledged nothing in 1 try ", "it is in state ERR",
               "Look for what brought that QP to ERR"},
              {"request-refused", "refused SEND_WITH_INV of 0 bytes",
               "rkey 0x00004711 names no memory window", "set invalidate_rkey"},
              kUnread}},
        Case{"silent-peer",
             {{"request-failed", "completed with RETRY_EXC_ERR: QP 0x", "acknowledged nothing in 8 tries",
               "it is in state INIT", "Bring that QP to RTR"}}}),
    [](const auto& info) {
      std::string name = info.param.misuse;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

// Findings that are not of objects that were left.
std::vector<std::string> of_events(const std::string& report) {
  std::vector<std::string> all = findings(report);
  std::erase_if(all, [](const std::string& finding) { return has(finding, "object-leaked"); });
  return all;
}

TEST(ReportOfAProgram, NamesEventsThatWereNeverAcknowledged) {
  const Outcome outcome = run("unacknowledged", "json");
  EXPECT_EQ(outcome.status, 0);
  const auto events = of_events(outcome.report);
  ASSERT_EQ(events.size(), 1u) << outcome.report;
  EXPECT_TRUE(has(events[0], "event-unacknowledged") && has(events[0], "\"call\":\"ibv_get_cq_event\"") &&
              has(events[0], "1 of 1 events"))
      << events[0];
}

TEST(ReportOfAProgram, NamesEventsOfTheConnectionManagerThatWereNeverAcknowledged) {
  const Outcome outcome = run("cm-unacknowledged", "json");
  EXPECT_EQ(outcome.status, 0);
  const auto events = of_events(outcome.report);
  ASSERT_EQ(events.size(), 2u) << outcome.report;
  for (const auto& [id, what] :
       {std::pair("CM id #1", "1 of 1 events"), std::pair("CM id #2", "1 of 2 events")}) {
    bool one = false;
    for (const std::string& finding : events) {
      one |= has(finding, "event-unacknowledged") && has(finding, "\"call\":\"rdma_get_cm_event\"") &&
             has(finding, id) && has(finding, what) && has(finding, "rdma_ack_cm_event");
    }
    EXPECT_TRUE(one) << id << " is not in " << outcome.report;
  }
}

TEST(ReportOfAProgram, SaysThatThereIsNothing) {
  const Outcome outcome = run("clean", "text");
  EXPECT_TRUE(has(outcome.report, "uroce report: misuse (pid ") && has(outcome.report, "): no findings\n"))
      << outcome.report;
}

TEST(ReportOfAProgram, TellsInText) {
  const std::string text = run("leak", "text").report;
  EXPECT_TRUE(has(text, ": 3 findings\n")) << text;
  EXPECT_TRUE(has(text, "object-leaked: PD #2 and 2 more made at the same place were never destroyed\n"))
      << text;
  EXPECT_TRUE(has(text, "  call   ibv_alloc_pd at make_leaks, ")) << text;
  EXPECT_TRUE(has(text, "  count  3, first at ")) << text;
  EXPECT_TRUE(has(text, "  cure   Call ibv_dealloc_pd on each")) << text;
}

TEST(ReportOfAProgram, IsWrittenWhenAllDestructorsHaveRun) {
  const Outcome outcome = run("clean", "json", "MISUSE_LATE=1");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(has(outcome.report, "\"findings\":[]}")) << outcome.report;
}

TEST(ReportOfAProgram, IsWrittenOnceAtQuickExit) {
  for (const char* devices : {"MISUSE_QUICK=1", "MISUSE_QUICK=1 MISUSE_LATE=1"}) {
    const Outcome outcome = run("clean", "json", devices);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(has(outcome.report, "\"schema\":")) << devices << ": " << outcome.report;
  }
  // A forked child that used no device and leaves by _exit() reports nothing of its parent's.
  EXPECT_EQ(findings(run("forked", "json", "MISUSE_QUICK=1").report).size(), 0u);
}

// The device's threads still run at that time.
TEST(ReportOfAProgram, IsWrittenWhenTheLastThreadOfTheProgramEnds) {
  for (const char* opened : {"last-thread", "late-thread"}) {
    const Outcome outcome = run(opened, "json");
    EXPECT_EQ(outcome.status, 0) << opened;
    EXPECT_TRUE(has(outcome.report, "\"findings\":[]}")) << opened << outcome.report;
  }
}

// Programs that close the device, leave it open with a CM id, and end by _exit after and before they close it.
TEST(Statistics, ArePrintedOnceHoweverAProgramEnds) {
  const std::pair<const char*, const char*> ends[] = {
      {"clean", ""}, {"cm-leak", ""}, {"clean", "MISUSE_QUICK=1"}, {"clean", "MISUSE_QUICK=1 MISUSE_LATE=1"}};
  for (const auto& [misuse, how] : ends) {
    const std::string told = run(misuse, "json", std::string("UROCE_STATS=1 ") + how).errors;
    const std::string begin = "uroce: pid ";
    const std::size_t first = told.find(begin);
    ASSERT_NE(first, std::string::npos) << misuse << how << ": " << told;
    EXPECT_EQ(told.find(begin, first + 1), std::string::npos) << misuse << how << ": " << told;
    EXPECT_NE(told.find("engine user", first), std::string::npos) << misuse << how << ": " << told;
    EXPECT_FALSE(has(run(misuse, "json", how).errors, begin)) << misuse << how;
  }
}

TEST(ReportOfAProgram, IsNotWrittenForOneThatUsesNoDevice) {
  const Outcome outcome = run("no-verbs", "text");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.report, "");
}

TEST(ReportOfAProgram, RefusesASettingThatMeansNothing) {
  const std::string command =
      std::string("UROCE_ADDR=127.0.0.91 UROCE_REPORT=xml ") + MISUSE_PROGRAM + " clean 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  char text[1024] = {};
  const std::size_t n = fread(text, 1, sizeof text - 1, pipe);
  EXPECT_GT(n, 0u);
  EXPECT_NE(pclose(pipe), 0);
  EXPECT_TRUE(has(text, "UROCE_REPORT must be text or json")) << text;
}

}  // namespace
