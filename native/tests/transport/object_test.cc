// Objects: protection domains, memory regions, completion queues, QP numbers, timers, stamps.
#include <cerrno>
#include <set>
#include <utility>

#include "pair.h"
#include "uroce/transport/timer_heap.h"

namespace uroce::transport::test {
namespace {

TEST(Pd, IsBusyWhileSomethingHangsOnIt) {
  Pair p;
  EXPECT_EQ(p.a.engine.dealloc_pd(p.a.pd), EBUSY);
  EXPECT_EQ(p.a.engine.destroy_qp(p.a.qp), 0);
  EXPECT_EQ(p.a.engine.dealloc_pd(p.a.pd), EBUSY);
  EXPECT_EQ(p.a.engine.dereg_mr(p.a.key), 0);
  EXPECT_EQ(p.a.engine.dealloc_pd(p.a.pd), 0);
  EXPECT_EQ(p.a.engine.dealloc_pd(p.a.pd), EINVAL);
}

TEST(Mr, KeysAreDistinctAndFoundAgain) {
  SeededRandom random(1);
  MrTable mrs(random);
  uint8_t byte;
  std::set<uint32_t> keys;
  for (uint64_t i = 0; i < 5000; ++i) keys.insert(*mrs.reg(&byte, i, 1, 0, 1));
  EXPECT_EQ(keys.size(), 5000u);
  EXPECT_EQ(mrs.size(), 5000u);
  for (uint32_t key : keys) {
    ASSERT_NE(mrs.find(key), nullptr);
    EXPECT_EQ(mrs.find(key)->key, key);
  }
  EXPECT_EQ(mrs.find(0), nullptr);
}

TEST(Mr, DeregisteredKeysAreGone) {
  SeededRandom random(1);
  MrTable mrs(random);
  uint8_t byte;
  const uint32_t key = *mrs.reg(&byte, 0, 1, 0, 1);
  EXPECT_EQ(mrs.dereg(key), 0);
  EXPECT_EQ(mrs.dereg(key), EINVAL);
  EXPECT_EQ(mrs.check(key, 1, 0, 1, 0), nullptr);
}

TEST(Mr, ChecksRangeToTheByte) {
  SeededRandom random(1);
  MrTable mrs(random);
  uint8_t memory[100];
  const uint64_t iova = UINT64_MAX - 99;
  const uint32_t key = *mrs.reg(memory, iova, 100, 0, 1);
  EXPECT_EQ(mrs.check(key, 1, iova, 100, 0), memory);
  EXPECT_EQ(mrs.check(key, 1, UINT64_MAX, 1, 0), memory + 99);
  EXPECT_EQ(mrs.check(key, 1, UINT64_MAX, 2, 0), nullptr);
  EXPECT_EQ(mrs.check(key, 1, iova - 1, 1, 0), nullptr);
  EXPECT_EQ(mrs.check(key, 1, iova, UINT64_MAX, 0), nullptr);
  EXPECT_EQ(mrs.check(key, 1, 0, 1, 0), nullptr);
}

TEST(Mr, RemoteWriteNeedsLocalWrite) {
  SeededRandom random(1);
  MrTable mrs(random);
  uint8_t byte;
  EXPECT_EQ(mrs.reg(&byte, 0, 1, access_flag::remote_write, 1).error(), EINVAL);
  EXPECT_EQ(mrs.reg(&byte, 0, 1, access_flag::remote_atomic, 1).error(), EINVAL);
  EXPECT_TRUE(mrs.reg(&byte, 0, 1, access_flag::remote_read, 1));
  EXPECT_TRUE(mrs.reg(&byte, 0, 0, 0, 1)) << "a region of no bytes";
  EXPECT_EQ(mrs.reg(&byte, UINT64_MAX, 2, 0, 1).error(), EINVAL);
}

TEST(Mr, TheTableHasAnEnd) {
  SeededRandom random(1);
  MrTable mrs(random, 2);
  uint8_t byte;
  EXPECT_TRUE(mrs.reg(&byte, 0, 1, 0, 1));
  EXPECT_TRUE(mrs.reg(&byte, 0, 1, 0, 1));
  EXPECT_EQ(mrs.reg(&byte, 0, 1, 0, 1).error(), ENOMEM);
}

TEST(Mr, ChangeKeepsTheKey) {
  SeededRandom random(1);
  MrTable mrs(random);
  uint8_t memory[10];
  const uint32_t key = *mrs.reg(memory, 0, 10, 0, 1);
  EXPECT_EQ(mrs.change(key, memory, 100, 5, access_flag::local_write, 2), 0);
  EXPECT_EQ(mrs.check(key, 1, 0, 1, 0), nullptr);
  EXPECT_EQ(mrs.check(key, 2, 104, 1, access_flag::local_write), memory + 4);
  EXPECT_EQ(mrs.change(key + 1, memory, 0, 1, 0, 1), EINVAL);
}

TEST(QpNumbers, AreCyclicInsideTheSlot) {
  SeededRandom random(1);
  Events events;
  EngineConfig config;
  config.qpn_base = 7 << 12;
  config.first_local_index = 4090;
  Engine engine(config, random, events);
  const uint32_t pd = engine.alloc_pd();
  Cq* cq = *engine.create_cq(10);
  const QpInit init{QpType::rc, pd, cq, cq, {1, 1, 1, 1, 0}, false, nullptr};
  std::set<uint32_t> seen;
  uint32_t last = 0;
  for (int i = 0; i < 6; ++i) {
    Qp* qp = *engine.create_qp(init);
    seen.insert(qp->qpn());
    last = qp->qpn();
    EXPECT_EQ(engine.find_qp(qp->qpn()), qp);
  }
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_EQ(*seen.begin(), (7u << 12) + 4090);
  EXPECT_EQ(*seen.rbegin(), (7u << 12) + 4095);
  EXPECT_EQ(engine.create_qp(init).error(), ENOMEM);
  EXPECT_EQ(engine.destroy_qp(engine.find_qp(last)), 0);
  EXPECT_EQ((*engine.create_qp(init))->qpn(), last);
  EXPECT_EQ(engine.find_qp(4090), nullptr);
}

TEST(CreateQp, RefusesWhatItCannotGive) {
  Pair p;
  Engine& e = p.a.engine;
  QpInit init{QpType::rc, p.a.pd, p.a.cq, p.a.cq, {1, 1, 1, 1, 0}, false, nullptr};
  const auto error = [&](auto change) {
    QpInit i = init;
    change(i);
    const auto qp = e.create_qp(i);
    return qp ? 0 : qp.error();
  };
  EXPECT_EQ(error([](QpInit& i) { i.type = static_cast<QpType>(9); }), EOPNOTSUPP);  // XRC
  EXPECT_EQ(error([](QpInit& i) { i.type = QpType::uc; }), 0);
  EXPECT_EQ(error([](QpInit& i) { i.type = QpType::ud; }), 0);
  EXPECT_EQ(error([](QpInit& i) { i.send_cq = nullptr; }), EINVAL);
  EXPECT_EQ(error([](QpInit& i) { i.pd = 99; }), EINVAL);
  EXPECT_EQ(error([](QpInit& i) { i.cap.max_send_wr = 16385; }), EINVAL);
  EXPECT_EQ(error([](QpInit& i) { i.cap.max_send_sge = 33; }), EINVAL);
  EXPECT_EQ(error([](QpInit& i) { i.cap.max_inline_data = 401; }), EINVAL);
  EXPECT_EQ(error([](QpInit& i) { i.cap = {}; }), 0);
}

TEST(Cq, RefusesSillyCapacities) {
  Pair p;
  EXPECT_EQ(p.a.engine.create_cq(0).error(), EINVAL);
  EXPECT_EQ(p.a.engine.create_cq((1u << 20) + 1).error(), EINVAL);
}

TEST(Cq, NotifiesOnceForEachArming) {
  Pair p;
  p.a.cq->arm(false);
  p.a.post_write(0, 10);
  p.a.post_write(0, 10);
  p.run();
  EXPECT_EQ(p.a.events.notifications, 1);
  p.a.cq->arm(false);
  EXPECT_EQ(p.a.events.notifications, 1);
  p.a.post_write(0, 10);
  p.run();
  EXPECT_EQ(p.a.events.notifications, 2);
}

TEST(Cq, SolicitedOnlyWaitsForTheBit) {
  Pair p;
  for (int i = 0; i < 3; ++i) p.b.post_recv(0, 10);
  p.b.cq->arm(true);
  p.a.post_send(0, 1);
  p.run();
  EXPECT_EQ(p.b.events.notifications, 0);
  p.a.post_op(WrOpcode::send, 0, 1, send_flag::signaled | send_flag::solicited);
  p.run();
  EXPECT_EQ(p.b.events.notifications, 1);
}

TEST(Cq, SolicitedOnlyAlsoWakesForErrors) {
  Pair p;
  p.b.post_recv(0, 10);
  p.b.cq->arm(true);
  p.b.to(QpState::err);
  EXPECT_EQ(p.b.events.notifications, 1);
}

TEST(Cq, ResizeKeepsWhatIsQueued) {
  Pair p;
  for (int i = 0; i < 5; ++i) p.a.post_write(0, 10);
  p.run();
  EXPECT_EQ(p.a.cq->resize(4), EINVAL);
  EXPECT_EQ(p.a.cq->resize(1000), 0);
  const auto wcs = p.a.poll();
  ASSERT_EQ(wcs.size(), 5u);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(wcs[i].wr_id, i + 1);
}

TEST(Stamps, TellTheLifeOfARequest) {
  Pair p;
  p.a.engine.set_stamping(true);
  const uint64_t posted = p.a.now;
  p.a.post_write(0, 3000);
  p.a.now += 10;
  const uint64_t sent = p.a.now;
  p.b.give(p.a.take());
  p.a.now += 100;
  p.a.give(p.b.take());
  Completion wc;
  WrStamps s;
  ASSERT_EQ(p.a.cq->poll(&wc, 1, &s), 1u);
  EXPECT_TRUE(s.valid);
  EXPECT_EQ(s.posted, posted);
  EXPECT_EQ(s.first_tx, sent);
  EXPECT_EQ(s.last_tx, sent);
  EXPECT_EQ(s.acked, p.a.now);
  EXPECT_EQ(s.cqe, p.a.now);
  EXPECT_EQ(s.wr_id, 1u);
  EXPECT_EQ(s.byte_len, 3000u);
  EXPECT_EQ(s.qpn, p.a.qp->qpn());
  EXPECT_EQ(s.status, WcStatus::success);
}

TEST(Stamps, OfUnsignaledRequestsGoToTheOwner) {
  Pair p;
  p.a.engine.set_stamping(true);
  p.a.post_write(0, 10, 0);
  p.run();
  ASSERT_EQ(p.a.events.stamps.size(), 1u);
  EXPECT_EQ(p.a.events.stamps[0].cqe, 0u);
  EXPECT_NE(p.a.events.stamps[0].acked, 0u);
}

TEST(Stamps, AreAbsentForWhatWasPostedBefore) {
  Pair p;
  p.a.post_write(0, 10);
  p.a.engine.set_stamping(true);
  p.run();
  Completion wc;
  WrStamps s;
  ASSERT_EQ(p.a.cq->poll(&wc, 1, &s), 1u);
  EXPECT_FALSE(s.valid);
}

TEST(Counters, HaveANameEach) {
  std::set<std::string> names;
  Counters c;
  for (const Counter& counter : kCounters) {
    EXPECT_TRUE(names.insert(counter.name).second) << counter.name;
    EXPECT_EQ(std::exchange(c.*counter.value, 1u), 0u)
        << counter.name << " is the value of another name, too";
  }
}

TEST(Atomics, AreSafeAgainstTheApplication) {
  // The word is shared: a fetch-and-add that came between two of the application's own must not be lost.
  Pair p;
  auto* word = reinterpret_cast<uint64_t*>(p.b.base());
  __atomic_store_n(word, 0, __ATOMIC_RELAXED);
  for (int i = 0; i < 100; ++i) {
    p.a.post_atomic(WrOpcode::atomic_fetch_and_add, 8, 0, 1);
    __atomic_fetch_add(word, 1000, __ATOMIC_RELAXED);
    p.run();
  }
  EXPECT_EQ(p.b.word(0), 100'100u);
  EXPECT_EQ(p.a.poll().size(), 64u);
}

}  // namespace
}  // namespace uroce::transport::test
