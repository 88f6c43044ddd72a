// Faults of the program itself belong to the program while a device is open: the same signal, and its own
// handler.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "tests/under_sanitizers.h"

namespace uroce::verbs::test {
namespace {

// Hidden from the compiler, which would see the bad address.
int* volatile g_nowhere = reinterpret_cast<int*>(16);

[[noreturn]] void crash() {
  *g_nowhere = 1;
  _exit(1);
}

// Death tests: each opens the device in a separate process.
class FaultSignal : public testing::Test {
 protected:
  void SetUp() override {
    if (kUnderSanitizers) GTEST_SKIP() << "a sanitizer handles the signals itself";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

[[noreturn]] void seen(int number) { _exit(number == SIGSEGV ? 42 : 43); }
[[noreturn]] void seen_with(int number, siginfo_t* info, void*) {
  _exit(number == SIGSEGV && info->si_addr == g_nowhere && info->si_code == SEGV_MAPERR ? 44 : 45);
}

void set_handler(void (*handler)(int), int flags = 0) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ASSERT_EQ(sigaction(SIGSEGV, &action, nullptr), 0);
}

TEST_F(FaultSignal, EndsTheProcess) {
  EXPECT_EXIT(
      {
        open_device();
        crash();
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(FaultSignal, EndsTheProcessThatIgnoresIt) {
  EXPECT_EXIT(
      {
        open_device();
        signal(SIGSEGV, SIG_IGN);
        crash();
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(FaultSignal, EndsTheProcessInAThreadThatBlocksIt) {
  EXPECT_EXIT(
      {
        open_device();
        set_handler(seen);
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, nullptr);
        crash();
      },
      testing::KilledBySignal(SIGSEGV), "");
}

void open_device_and_post_nowhere() {
  ibv_context* context = open_device();
  ibv_pd* pd = ibv_alloc_pd(context);
  ibv_cq* cq = ibv_create_cq(context, 16, nullptr, nullptr, 0);
  ibv_qp_init_attr init{};
  init.send_cq = init.recv_cq = cq;
  init.cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 0};
  init.qp_type = IBV_QPT_RC;
  ibv_qp* qp = ibv_create_qp(pd, &init);
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_INIT;
  attr.port_num = 1;
  ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
  set_handler(seen);
  ibv_recv_wr* bad = nullptr;
  ibv_post_recv(qp, reinterpret_cast<ibv_recv_wr*>(g_nowhere), &bad);
}

TEST_F(FaultSignal, OfABadWorkRequestIsTheProgramsOwn) {
  EXPECT_EXIT({ open_device_and_post_nowhere(); }, testing::ExitedWithCode(42), "");
}

TEST_F(FaultSignal, CallsAHandlerThatWasThereBefore) {
  EXPECT_EXIT(
      {
        set_handler(seen);
        open_device();
        crash();
      },
      testing::ExitedWithCode(42), "");
}

TEST_F(FaultSignal, CallsAHandlerThatCameLater) {
  EXPECT_EXIT(
      {
        open_device();
        struct sigaction action{};
        action.sa_sigaction = seen_with;
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGSEGV, &action, nullptr);
        crash();
      },
      testing::ExitedWithCode(44), "");
}

TEST_F(FaultSignal, CallsAHandlerOfSignal) {
  EXPECT_EXIT(
      {
        open_device();
        signal(SIGSEGV, seen);
        crash();
      },
      testing::ExitedWithCode(42), "");
}

TEST_F(FaultSignal, CallsAHandlerOfASignalThatWasSent) {
  EXPECT_EXIT(
      {
        open_device();
        signal(SIGBUS, seen);
        raise(SIGBUS);
      },
      testing::ExitedWithCode(43), "");
}

[[noreturn]] void crash_again(int) { crash(); }

TEST_F(FaultSignal, InItsOwnHandlerEndsTheProcess) {
  EXPECT_EXIT(
      {
        open_device();
        set_handler(crash_again);
        crash();
      },
      testing::KilledBySignal(SIGSEGV), "");
}

int g_calls = 0;
void count(int) { ++g_calls; }

// The second fault meets the default action, as in the kernel.
TEST_F(FaultSignal, ResetsAHandlerForOneFault) {
  EXPECT_EXIT(
      {
        open_device();
        set_handler(count, SA_RESETHAND);
        crash();
      },
      testing::KilledBySignal(SIGSEGV), "");
}

sigjmp_buf g_back;
void go_back(int) { siglongjmp(g_back, 1); }

// Programs that probe memory by faults.
TEST_F(FaultSignal, CanBeSurvivedByAJumpManyTimes) {
  EXPECT_EXIT(
      {
        open_device();
        set_handler(go_back);
        static int survived;
        static int i;
        for (i = 0; i < 100; ++i) {
          if (sigsetjmp(g_back, 1) == 0) {
            *g_nowhere = 1;
          } else {
            survived = i + 1;
          }
        }
        _exit(survived);
      },
      testing::ExitedWithCode(100), "");
}

TEST_F(FaultSignal, TheActionReadsAsTheProgramSetIt) {
  ibv_context* context = open_device();
  ASSERT_NE(context, nullptr);
  struct sigaction mine{}, before{}, read{};
  mine.sa_handler = count;
  mine.sa_flags = SA_NODEFER;
  sigaddset(&mine.sa_mask, SIGUSR1);
  ASSERT_EQ(sigaction(SIGSEGV, &mine, &before), 0);
  ASSERT_EQ(sigaction(SIGSEGV, nullptr, &read), 0);
  EXPECT_EQ(read.sa_handler, count);
  EXPECT_EQ(read.sa_flags & SA_NODEFER, SA_NODEFER);
  EXPECT_EQ(read.sa_flags & SA_SIGINFO, 0);
  EXPECT_EQ(sigismember(&read.sa_mask, SIGUSR1), 1);
  EXPECT_EQ(signal(SIGSEGV, SIG_IGN), count);
  EXPECT_EQ(signal(SIGSEGV, SIG_DFL), SIG_IGN);
  ASSERT_EQ(sigaction(SIGSEGV, &before, nullptr), 0);
  EXPECT_EQ(ibv_close_device(context), 0);
}

// An alternate stack takes the fault of a stack that has overflowed.
int deeper(int depth) {
  volatile char room[4096];
  room[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : deeper(depth + 1) + room[0];
}
void use_other_stack() {
  static char other[1 << 16];
  const stack_t stack{other, 0, sizeof other};
  sigaltstack(&stack, nullptr);
}

TEST_F(FaultSignal, OfAFullStackComesOnTheOtherStack) {
  EXPECT_EXIT(
      {
        open_device();
        use_other_stack();
        set_handler(seen, SA_ONSTACK);
        _exit(deeper(0));
      },
      testing::ExitedWithCode(42), "");
}

TEST_F(FaultSignal, OfAChildIsTheChilds) {
  ibv_context* context = open_device();
  ASSERT_NE(context, nullptr);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, seen);
    crash();
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42) << status;
  EXPECT_EQ(ibv_close_device(context), 0);
}

}  // namespace
}  // namespace uroce::verbs::test
