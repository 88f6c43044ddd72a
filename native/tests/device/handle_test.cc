// Objects whose handle or context was overwritten, and objects destroyed twice: every call that reaches the
// kernel on other devices returns ENOENT and leaves it in errno. And errno after calls that return an error
// number.
#include <utility>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

// Overwrites a field while it lives.
template <class T>
class Garble {
 public:
  Garble(T& field, T value) : field_(field), kept_(field) { field = value; }
  ~Garble() { field_ = kept_; }
  Garble(const Garble&) = delete;
  Garble& operator=(const Garble&) = delete;

 private:
  T& field_;
  const T kept_;
};

// Result of a call, which errno must repeat.
class Answer {
 public:
  Answer() { errno = 0; }
  int operator()(int result) const {
    EXPECT_EQ(errno, result);
    return result;
  }
  template <class T>
  int operator()(T* result) const {
    EXPECT_EQ(result, nullptr);
    return errno;
  }
};
#define ANSWER(call) Answer()(call)

class HandleTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ibv_srq_init_attr srq_init{};
    srq_init.attr = {.max_wr = 4, .max_sge = 1, .srq_limit = 0};
    srq = ibv_create_srq(pd, &srq_init);
    mw = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
    ah = ibv_create_ah(pd, &address());
    channel = ibv_create_comp_channel(context);
    ibv_td_init_attr td_init{};
    td = ibv_alloc_td(context, &td_init);
    ASSERT_TRUE(srq && mw && ah && channel && td);
  }
  void TearDown() override {
    EXPECT_EQ(srq != nullptr ? ibv_destroy_srq(srq) : 0, 0);
    EXPECT_EQ(mw != nullptr ? ibv_dealloc_mw(mw) : 0, 0);
    EXPECT_EQ(ah != nullptr ? ibv_destroy_ah(ah) : 0, 0);
    EXPECT_EQ(channel != nullptr ? ibv_destroy_comp_channel(channel) : 0, 0);
    EXPECT_EQ(td != nullptr ? ibv_dealloc_td(td) : 0, 0);
    DeviceTest::TearDown();
  }
  ibv_ah_attr& address() {
    static ibv_ah_attr attr;
    attr = {};
    attr.is_global = 1;
    attr.port_num = 1;
    attr.grh.sgid_index = 1;
    EXPECT_EQ(ibv_query_gid(context, 1, 1, &attr.grh.dgid), 0);
    return attr;
  }
  ibv_qp* make_qp(ibv_cq* send, ibv_cq* recv, ibv_srq* shared) {
    ibv_qp_init_attr init{};
    init.send_cq = send;
    init.recv_cq = recv;
    init.srq = shared;
    init.cap = {
        .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 0};
    init.qp_type = IBV_QPT_RC;
    return ibv_create_qp(pd, &init);
  }
  // Every call on each object, which differs from its creation.
  void expect_refusals() {
    ibv_qp_attr attr{};
    ibv_qp_init_attr init{};
    ibv_srq_attr srq_attr{};
    ibv_gid group{};
    EXPECT_EQ(ANSWER(ibv_modify_qp(qp_a, &attr, IBV_QP_STATE)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_query_qp(qp_a, &attr, IBV_QP_STATE, &init)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_attach_mcast(qp_a, &group, 0)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_detach_mcast(qp_a, &group, 0)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_destroy_qp(qp_a)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_resize_cq(cq_b, 10)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_destroy_cq(cq_b)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_modify_srq(srq, &srq_attr, IBV_SRQ_LIMIT)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_query_srq(srq, &srq_attr)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_destroy_srq(srq)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_dealloc_mw(mw)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_dereg_mr(mr_a)), ENOENT);
    errno = 0;
    EXPECT_EQ(ibv_rereg_mr(mr_a, IBV_REREG_MR_CHANGE_ACCESS, nullptr, nullptr, 0, IBV_ACCESS_LOCAL_WRITE),
              IBV_REREG_MR_ERR_CMD);
    EXPECT_EQ(errno, ENOENT);
    EXPECT_EQ(ANSWER(ibv_destroy_ah(ah)), ENOENT);
    EXPECT_EQ(ANSWER(make_qp(cq_b, cq_a, nullptr)), ENOENT);
    EXPECT_EQ(ANSWER(make_qp(cq_a, cq_b, nullptr)), ENOENT);
    EXPECT_EQ(ANSWER(make_qp(cq_a, cq_a, srq)), ENOENT);
  }
  void expect_refusals_of_the_domain() {
    ibv_srq_init_attr srq_init{};
    srq_init.attr.max_wr = 1;
    ibv_parent_domain_init_attr parent{};
    parent.pd = pd;
    EXPECT_EQ(ANSWER(ibv_dealloc_pd(pd)), ENOENT);
    EXPECT_EQ(ANSWER(make_qp(cq_a, cq_a, nullptr)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_create_srq(pd, &srq_init)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_reg_mr(pd, memory_a.data(), 64, IBV_ACCESS_LOCAL_WRITE)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_alloc_mw(pd, IBV_MW_TYPE_1)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_create_ah(pd, &address())), ENOENT);
    EXPECT_EQ(ANSWER(ibv_alloc_parent_domain(context, &parent)), ENOENT);
    EXPECT_EQ(ibv_rereg_mr(mr_a, IBV_REREG_MR_CHANGE_PD, pd, nullptr, 0, 0), IBV_REREG_MR_ERR_CMD);
  }

  ibv_srq* srq = nullptr;
  ibv_mw* mw = nullptr;
  ibv_ah* ah = nullptr;
  ibv_comp_channel* channel = nullptr;
  ibv_td* td = nullptr;
};

TEST_F(HandleTest, AnOverwrittenHandleNamesNothing) {
  constexpr uint32_t kWrong = 0xDEADBEEF;
  {
    const Garble qp(qp_a->handle, qp_a->handle ^ kWrong), cq(cq_b->handle, cq_b->handle ^ kWrong),
        queue(srq->handle, srq->handle ^ kWrong), window(mw->handle, mw->handle ^ kWrong),
        region(mr_a->handle, mr_a->handle ^ kWrong), way(ah->handle, ah->handle ^ kWrong);
    expect_refusals();
    EXPECT_EQ(ibv_req_notify_cq(cq_b, 0), ENOENT);
  }
  const Garble domain(pd->handle, pd->handle ^ kWrong);
  expect_refusals_of_the_domain();
}

TEST_F(HandleTest, AnOverwrittenContextNamesNothing) {
  ibv_context* other = open_device();
  ASSERT_NE(other, nullptr);
  {
    const Garble qp(qp_a->context, other), cq(cq_b->context, other), queue(srq->context, other),
        window(mw->context, other), region(mr_a->context, other), way(ah->context, other),
        events(channel->context, other), thread(td->context, other);
    expect_refusals();
    EXPECT_EQ(ANSWER(ibv_destroy_comp_channel(channel)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_create_cq(context, 1, nullptr, channel, 0)), ENOENT);
    EXPECT_EQ(ANSWER(ibv_dealloc_td(td)), ENOENT);
  }
  {
    const Garble domain(pd->context, other);
    expect_refusals_of_the_domain();
  }
  EXPECT_EQ(ibv_close_device(other), 0);
}

// Each open of the device gives a separate context.
TEST_F(HandleTest, NothingIsMadeOfTheObjectsOfTwoContexts) {
  ibv_context* other = open_device();
  ASSERT_NE(other, nullptr);
  ibv_pd* other_pd = ibv_alloc_pd(other);
  ibv_cq* other_cq = ibv_create_cq(other, 4, nullptr, nullptr, 0);
  ibv_srq_init_attr srq_init{};
  srq_init.attr = {.max_wr = 4, .max_sge = 1, .srq_limit = 0};
  ibv_srq* other_srq = ibv_create_srq(other_pd, &srq_init);
  ASSERT_TRUE(other_pd && other_cq && other_srq);
  EXPECT_EQ(ANSWER(make_qp(other_cq, cq_a, nullptr)), EINVAL);
  EXPECT_EQ(ANSWER(make_qp(cq_a, other_cq, nullptr)), EINVAL);
  EXPECT_EQ(ANSWER(make_qp(cq_a, cq_a, other_srq)), EINVAL);
  ibv_qp_init_attr_ex extended{};
  extended.send_cq = extended.recv_cq = other_cq;
  extended.qp_type = IBV_QPT_RC;
  // With the PD alone in the mask the inline function ignores the context.
  extended.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
  extended.send_ops_flags = IBV_QP_EX_WITH_SEND;
  extended.pd = pd;
  EXPECT_EQ(ANSWER(ibv_create_qp_ex(context, &extended)), EINVAL);
  extended.send_cq = extended.recv_cq = cq_a;
  EXPECT_EQ(ANSWER(ibv_create_qp_ex(other, &extended)), EINVAL);
  EXPECT_EQ(ANSWER(ibv_create_cq(other, 4, nullptr, channel, 0)), EINVAL);
  ibv_cq_init_attr_ex queue{};
  queue.cqe = 4;
  queue.channel = channel;
  EXPECT_EQ(ANSWER(ibv_create_cq_ex(other, &queue)), EINVAL);
  ibv_parent_domain_init_attr parent{};
  parent.pd = other_pd;
  EXPECT_EQ(ANSWER(ibv_alloc_parent_domain(context, &parent)), EINVAL);
  ibv_pd* other_parent = ibv_alloc_parent_domain(other, &parent);
  ASSERT_NE(other_parent, nullptr);
  queue.channel = nullptr;
  queue.comp_mask = IBV_CQ_INIT_ATTR_MASK_PD;
  queue.parent_domain = other_parent;
  EXPECT_EQ(ANSWER(ibv_create_cq_ex(context, &queue)), EINVAL);
  parent.td = td;
  EXPECT_EQ(ANSWER(ibv_alloc_parent_domain(other, &parent)), EINVAL);
  errno = 0;
  EXPECT_EQ(ibv_rereg_mr(mr_a, IBV_REREG_MR_CHANGE_PD, other_pd, nullptr, 0, 0), IBV_REREG_MR_ERR_CMD);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(mr_a->pd, pd);
  EXPECT_EQ(ibv_dealloc_pd(other_parent), 0);
  EXPECT_EQ(ibv_destroy_srq(other_srq), 0);
  EXPECT_EQ(ibv_destroy_cq(other_cq), 0);
  EXPECT_EQ(ibv_dealloc_pd(other_pd), 0);
  EXPECT_EQ(ibv_close_device(other), 0);
}

TEST_F(HandleTest, NothingIsDestroyedTwice) {
  ibv_pd* spare = ibv_alloc_pd(context);
  ibv_mr* region = ibv_reg_mr(pd, memory_a.data(), 64, 0);
  ibv_cq* queue = ibv_create_cq(context, 4, nullptr, nullptr, 0);
  ibv_qp* pair = create_qp(cq_a);
  ASSERT_TRUE(spare && region && queue && pair);
  ASSERT_EQ(ibv_destroy_qp(pair), 0);
  EXPECT_EQ(ANSWER(ibv_destroy_qp(pair)), ENOENT);
  ibv_qp_attr attr{};
  EXPECT_EQ(ANSWER(ibv_modify_qp(pair, &attr, IBV_QP_STATE)), ENOENT);
  ASSERT_EQ(ibv_destroy_cq(queue), 0);
  EXPECT_EQ(ANSWER(ibv_destroy_cq(queue)), ENOENT);
  EXPECT_EQ(ANSWER(make_qp(queue, cq_a, nullptr)), ENOENT);
  ASSERT_EQ(ibv_dereg_mr(region), 0);
  EXPECT_EQ(ANSWER(ibv_dereg_mr(region)), ENOENT);
  ASSERT_EQ(ibv_dealloc_pd(spare), 0);
  EXPECT_EQ(ANSWER(ibv_dealloc_pd(spare)), ENOENT);
  EXPECT_EQ(ANSWER(ibv_reg_mr(spare, memory_a.data(), 64, 0)), ENOENT);
  ASSERT_EQ(ibv_destroy_srq(srq), 0);
  EXPECT_EQ(ANSWER(ibv_destroy_srq(std::exchange(srq, nullptr))), ENOENT);
  ASSERT_EQ(ibv_dealloc_mw(mw), 0);
  EXPECT_EQ(ANSWER(ibv_dealloc_mw(std::exchange(mw, nullptr))), ENOENT);
  ASSERT_EQ(ibv_destroy_ah(ah), 0);
  EXPECT_EQ(ANSWER(ibv_destroy_ah(std::exchange(ah, nullptr))), ENOENT);
  ASSERT_EQ(ibv_destroy_comp_channel(channel), 0);
  EXPECT_EQ(ANSWER(ibv_destroy_comp_channel(std::exchange(channel, nullptr))), ENOENT);
  ASSERT_EQ(ibv_dealloc_td(td), 0);
  EXPECT_EQ(ANSWER(ibv_dealloc_td(std::exchange(td, nullptr))), ENOENT);
}

TEST_F(HandleTest, NothingIsAskedOfAClosedContext) {
  ibv_context* closed = open_device();
  ASSERT_NE(closed, nullptr);
  ASSERT_EQ(ibv_close_device(closed), 0);
  EXPECT_EQ(ANSWER(ibv_close_device(closed)), ENOENT);
  EXPECT_EQ(ANSWER(ibv_alloc_pd(closed)), ENOENT);
  EXPECT_EQ(ANSWER(ibv_create_comp_channel(closed)), ENOENT);
  EXPECT_EQ(ANSWER(ibv_create_cq(closed, 1, nullptr, nullptr, 0)), ENOENT);
  ibv_device_attr device{};
  EXPECT_EQ(ANSWER(ibv_query_device(closed, &device)), ENOENT);
  ibv_port_attr port{};
  EXPECT_EQ(ANSWER(ibv_query_port(closed, 1, &port)), ENOENT);
}

TEST_F(HandleTest, ErrnoRepeatsWhatACallReturns) {
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_RTS;
  EXPECT_EQ(ANSWER(ibv_modify_qp(qp_a, &attr, IBV_QP_STATE)), EINVAL);
  EXPECT_EQ(ANSWER(ibv_dealloc_pd(pd)), EBUSY);
  EXPECT_EQ(ANSWER(ibv_destroy_cq(cq_a)), EBUSY);
  EXPECT_EQ(ANSWER(ibv_resize_cq(cq_a, 0)), EINVAL);
  EXPECT_EQ(ANSWER(ibv_modify_srq(srq, nullptr, 64)), EINVAL);
  ibv_qp* on_srq = make_qp(cq_a, cq_a, srq);
  ASSERT_NE(on_srq, nullptr);
  EXPECT_EQ(ANSWER(ibv_destroy_srq(srq)), EBUSY);
  EXPECT_EQ(ibv_destroy_qp(on_srq), 0);
  ibv_cq* with_channel = ibv_create_cq(context, 1, nullptr, channel, 0);
  EXPECT_EQ(ANSWER(ibv_destroy_comp_channel(channel)), EBUSY);
  EXPECT_EQ(ibv_destroy_cq(with_channel), 0);
  ibv_port_attr port{};
  EXPECT_EQ(ANSWER(ibv_query_port(context, 2, &port)), EINVAL);
  ibv_gid_entry entry{};
  EXPECT_EQ(ANSWER(ibv_query_gid_ex(context, 1, 99, &entry, 0)), ENODATA);
  ibv_gid group{};
  EXPECT_EQ(ANSWER(ibv_attach_mcast(qp_a, &group, 0)), EINVAL);
  ibv_parent_domain_init_attr parent_init{};
  parent_init.pd = pd;
  parent_init.td = td;
  ibv_pd* parent = ibv_alloc_parent_domain(context, &parent_init);
  ASSERT_NE(parent, nullptr);
  EXPECT_EQ(ANSWER(ibv_dealloc_td(td)), EBUSY);
  EXPECT_EQ(ibv_dealloc_pd(parent), 0);
}

TEST_F(HandleTest, PostingLeavesErrnoAlone) {
  errno = 0;
  ibv_sge sge = sge_a(0, 8);
  EXPECT_EQ(post(qp_a, send_wr(IBV_WR_SEND, &sge)), EINVAL) << "the QP is in RESET";
  EXPECT_EQ(errno, 0);
}

}  // namespace
}  // namespace uroce::verbs::test
