// modify_qp of UC and UD: the kernel's table (qp_state_table in drivers/infiniband/core/verbs.c).
#include <cerrno>

#include "pair.h"
#include "uroce/refusal.h"
#include "uroce/transport/qp_state.h"

namespace uroce::transport::test {
namespace {

namespace m = qp_mask;
using S = QpState;

TEST(ModifyUc, TheKernelsMasks) {
  EXPECT_TRUE(modify_mask_ok(QpType::uc, S::reset, S::init, 0x39));
  EXPECT_TRUE(modify_mask_ok(QpType::uc, S::init, S::rtr, 0x101181));
  EXPECT_TRUE(modify_mask_ok(QpType::uc, S::rtr, S::rts, 0x10001));
  EXPECT_TRUE(modify_mask_ok(QpType::uc, S::sqe, S::rts, m::state | m::cur_state | m::access_flags));
  EXPECT_TRUE(modify_mask_ok(QpType::uc, S::sqd, S::sqd, m::state | m::av));
  // Attributes that only RC has.
  EXPECT_FALSE(modify_mask_ok(QpType::uc, S::init, S::rtr, 0x129181));
  EXPECT_FALSE(modify_mask_ok(QpType::uc, S::rtr, S::rts, 0x12e01));
  EXPECT_FALSE(modify_mask_ok(QpType::uc, S::rtr, S::rts, 0x10001 | m::min_rnr_timer));
  EXPECT_FALSE(modify_mask_ok(QpType::uc, S::reset, S::init, 0x71));
}

TEST(ModifyUd, TheKernelsMasks) {
  EXPECT_TRUE(modify_mask_ok(QpType::ud, S::reset, S::init, 0x71));
  EXPECT_TRUE(modify_mask_ok(QpType::ud, S::init, S::rtr, m::state));
  EXPECT_TRUE(modify_mask_ok(QpType::ud, S::rtr, S::rts, 0x10001));
  EXPECT_TRUE(modify_mask_ok(QpType::ud, S::rts, S::rts, m::state | m::qkey));
  EXPECT_TRUE(modify_mask_ok(QpType::ud, S::sqd, S::rts, m::state | m::qkey));
  EXPECT_TRUE(modify_mask_ok(QpType::ud, S::sqe, S::rts, m::state));
  EXPECT_FALSE(modify_mask_ok(QpType::ud, S::reset, S::init, 0x39));
  EXPECT_FALSE(modify_mask_ok(QpType::ud, S::init, S::rtr, m::state | m::av));
  EXPECT_FALSE(modify_mask_ok(QpType::ud, S::rtr, S::rts, m::state));
  EXPECT_FALSE(modify_mask_ok(QpType::ud, S::rts, S::rts, m::state | m::access_flags));
}

TEST(RefusedMask, NamesWhatIsMissingWhatIsForeignAndWhatIsNoStep) {
  EXPECT_EQ(refused_mask(QpType::rc, S::rtr, S::rts, 0x12e01 & ~m::sq_psn), EINVAL);
  EXPECT_EQ(t_refusal.cause, Cause::mask_missing);
  EXPECT_EQ(t_refusal.c, m::sq_psn);
  EXPECT_EQ(refused_mask(QpType::ud, S::init, S::rtr, m::state | m::av), EINVAL);
  EXPECT_EQ(t_refusal.cause, Cause::mask_foreign);
  EXPECT_EQ(t_refusal.c, m::av);
  EXPECT_EQ(refused_mask(QpType::rc, S::reset, S::rts, 0x12e01), EINVAL);
  EXPECT_EQ(t_refusal.cause, Cause::transition);
  EXPECT_EQ(refused_mask(QpType::rc, S::rtr, S::rts, 0x12e01), 0);
}

TEST(ModifyAll, SqeIsLeftForRtsByTheUnreliableOnly) {
  for (QpType type : {QpType::rc, QpType::uc, QpType::ud}) {
    EXPECT_EQ(modify_mask_ok(type, S::sqe, S::rts, m::state), type != QpType::rc);
    EXPECT_TRUE(modify_mask_ok(type, S::sqe, S::reset, m::state));
    EXPECT_TRUE(modify_mask_ok(type, S::sqe, S::err, m::state));
    // A program cannot move a QP to SQE.
    EXPECT_FALSE(modify_mask_ok(type, S::rts, S::sqe, m::state));
  }
}

}  // namespace
}  // namespace uroce::transport::test
