// Random calls, right and wrong: the right errno, no crash, nothing left behind.
#include "tests/device/abuse.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

// ABUSE_SEED repeats one; ABUSE_CALLS makes it longer.
uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

TEST(Abuse, RandomCallsGetTheRightAnswers) {
  const uint64_t first = setting("ABUSE_SEED", 1);
  const uint64_t last = std::getenv("ABUSE_SEED") != nullptr ? first : first + 7;
  const int calls = static_cast<int>(setting("ABUSE_CALLS", 10'000));
  for (uint64_t seed = first; seed <= last; ++seed) {
    auto abuser = std::make_unique<Abuser>(seed);
    const std::string wrong = abuser->run(calls);
    ASSERT_EQ(wrong, "") << "again with: ABUSE_SEED=" << seed;
    abuser->finish();
    const Abuser::Figures& f = abuser->figures();
    std::printf("seed %" PRIu64 ": %d calls, sends %" PRIu64 " posted %" PRIu64
                " refused, completions %" PRIu64 " good %" PRIu64 " failed %" PRIu64 " flushed, %" PRIu64
                " events\n",
                seed, calls, f.posted, f.refused, f.succeeded, f.failed, f.flushed, f.events);
    EXPECT_TRUE(calls < 10'000 || (f.posted > 0 && f.refused > 0 && f.succeeded > 0 && f.failed > 0));
  }
}

}  // namespace
}  // namespace uroce::verbs::test
