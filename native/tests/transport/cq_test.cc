// The completion queue by itself.
#include "pair.h"

namespace uroce::transport::test {
namespace {

std::vector<uint64_t> ids(Cq& cq) {
  std::vector<uint64_t> out;
  Completion wc{};
  while (cq.poll(&wc, 1) == 1) out.push_back(wc.wr_id);
  return out;
}

TEST(CqPurge, TakesOutOneQueuePairsCompletionsAndKeepsTheOrderOfTheOthers) {
  Events events;
  Cq cq(8, events, true);
  cq.enable_stamps();
  const auto push = [&](uint64_t id, uint32_t qpn) {
    Completion wc{};
    wc.wr_id = id;
    wc.qp_num = qpn;
    WrStamps stamps;
    stamps.wr_id = id;
    stamps.valid = id % 2 == 0;
    EXPECT_TRUE(cq.push(wc, false, &stamps, 100 + id));
  };
  // Around the end of the ring.
  for (uint64_t id = 1; id <= 5; ++id) push(id, 9);
  EXPECT_EQ(ids(cq).size(), 5u);
  events.stamps.clear();
  const uint32_t qpns[] = {7, 9, 7, 7, 9, 8, 7, 8};
  for (uint64_t id = 0; id < 8; ++id) push(10 + id, qpns[id]);
  cq.purge(7);
  EXPECT_EQ(cq.count(), 4u);
  // Stamped completions that were never polled are reported like unsignaled ones.
  ASSERT_EQ(events.stamps.size(), 3u);
  Completion out[8];
  WrStamps stamps[8];
  uint64_t times[8];
  ASSERT_EQ(cq.poll(out, 8, stamps, times), 4u);
  const uint64_t left[] = {11, 14, 15, 17};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(out[i].wr_id, left[i]);
    EXPECT_EQ(stamps[i].wr_id, left[i]);
    EXPECT_EQ(times[i], 100 + left[i]);
  }
  // There is room for a full ring again.
  for (uint64_t id = 20; id < 28; ++id) push(id, 7);
  cq.purge(8);
  EXPECT_EQ(cq.count(), 8u);
  cq.purge(7);
  EXPECT_EQ(cq.count(), 0u);
  cq.purge(7);
  push(30, 7);
  EXPECT_EQ(ids(cq), std::vector<uint64_t>{30});
}

}  // namespace
}  // namespace uroce::transport::test
