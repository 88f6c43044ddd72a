#include "uroce/report/ledger.h"

#include <gtest/gtest.h>

#include "uroce/report/churn.h"

namespace uroce::report {
namespace {

constexpr uint64_t kMs = 1'000'000;

// Runs `pairs` of registration and deregistration, `gap` ms apart, with `posts` posts in each.
uint64_t churn_of(uint32_t pairs, uint64_t gap, uint64_t lived, uint64_t posts) {
  Churn churn;
  uint64_t reported = 0, posted = 0;
  for (uint32_t i = 0; i < pairs; ++i) {
    posted += posts;
    reported += churn.deregistered(10'000 * kMs + i * gap * kMs, lived * kMs, posted);
  }
  return reported;
}

TEST(Churn, IsManyBriefRegionsBetweenPosts) {
  EXPECT_EQ(churn_of(Churn::kMany - 1, 1, 1, 1), 0u);
  EXPECT_EQ(churn_of(Churn::kMany, 1, 1, 1), Churn::kMany);
  EXPECT_EQ(churn_of(Churn::kMany + 10, 1, 1, 1), Churn::kMany + 10);
}

TEST(Churn, IsNotAPoolNorLongLivedRegionsNorAFewASecond) {
  EXPECT_EQ(churn_of(10'000, 0, 1, 0), 0u);
  EXPECT_EQ(churn_of(10'000, 1, 2000, 1), 0u);
  EXPECT_EQ(churn_of(10'000, 100, 1, 1), 0u);
}

TEST(Ledger, CountsWhatIsTheSameAndKeepsTheFirstDetail) {
  Ledger ledger;
  int qp = 0, cq = 0;
  ledger.made(Kind::qp, &qp, 0x12);
  ledger.made(Kind::cq, &cq, 0);
  ledger.note(Misuse::post_wrong_state, "ibv_post_send", &qp, "first", true);
  ledger.note(Misuse::post_wrong_state, "ibv_post_send", &qp, "second", true, 4);
  ledger.note(Misuse::cq_overrun, "ibv_poll_cq", &cq, "full", false);
  ledger.note(Misuse::cq_overrun, "ibv_poll_cq", &ledger, "no object of ours", false);
  ledger.gone(&qp);
  ledger.gone(&cq);
  const Report report = ledger.finish();
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].count, 5u);
  EXPECT_EQ(report.findings[0].detail, "first");
  EXPECT_EQ(report.findings[0].number, 0x12u);
  EXPECT_EQ(report.findings[1].number, 1u);
}

TEST(Ledger, CallsManyRnrNaksAStorm) {
  Ledger ledger;
  int qp = 0;
  ledger.made(Kind::qp, &qp, 3);
  for (uint32_t i = 1; i < Ledger::kRnrStorm; ++i) ledger.rnr(&qp, true);
  ledger.rnr(&qp, false);
  EXPECT_EQ(ledger.finish().findings.size(), 1u);  // the QP lives
  ledger.rnr(&qp, true);
  ledger.rnr(&qp, true);
  ledger.gone(&qp);
  const Report report = ledger.finish();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_STREQ(id_of(report.findings[0].misuse), "rnr-storm-sent");
  EXPECT_EQ(report.findings[0].count, Ledger::kRnrStorm + 1);
}

TEST(Ledger, IsBounded) {
  Ledger ledger;
  std::vector<int> qps(Ledger::kMaxFindings + 5);
  for (std::size_t i = 0; i < qps.size(); ++i) {
    ledger.made(Kind::qp, &qps[i], static_cast<uint32_t>(i + 1));
    ledger.note(Misuse::post_invalid, "ibv_post_send", &qps[i], "", false, 2);
    ledger.gone(&qps[i]);
  }
  const Report report = ledger.finish();
  EXPECT_EQ(report.findings.size(), Ledger::kMaxFindings);
  EXPECT_EQ(report.dropped, 10u);
}

TEST(Json, EscapesWhatIsNotPlain) {
  Ledger ledger;
  int qp = 0;
  ledger.made(Kind::qp, &qp, 1);
  ledger.note(Misuse::post_invalid, "ibv_post_send", &qp, "a\"b\\c\n\xe9", false);
  EXPECT_NE(to_json(ledger.finish()).find("\"detail\":\"a\\\"b\\\\c\\u000a\\u00e9\""), std::string::npos);
}

}  // namespace
}  // namespace uroce::report
