#include "uroce/verbs/device/pin_table.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <fstream>
#include <random>
#include <string>

#include "tests/under_sanitizers.h"

namespace uroce::verbs::test {
namespace {

constexpr std::size_t kPage = 4096;

class Pages {
 public:
  explicit Pages(std::size_t n) : n_(n) {
    base_ = mmap(nullptr, n * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  ~Pages() { munmap(base_, n_ * kPage); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  uintptr_t at(std::size_t page) const { return reinterpret_cast<uintptr_t>(base_) + page * kPage; }

 private:
  void* base_;
  std::size_t n_;
};

// Locked bytes of this process, by the kernel.
std::size_t locked() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("VmLck:")) return std::stoul(line.substr(6)) * 1024;
  }
  return 0;
}

TEST(PinTable, OverlappingRegionsKeepTheirPages) {
  if (kUnderSanitizers) GTEST_SKIP() << "AddressSanitizer turns mlock into nothing";
  const Pages pages(16);
  PinTable table(false);
  const std::size_t before = locked();
  ASSERT_EQ(table.pin(pages.at(0), 8 * kPage, true), 0);
  ASSERT_EQ(table.pin(pages.at(4) + 10, 8 * kPage, true), 0);  // 9 pages: 4..12
  EXPECT_EQ(locked() - before, 13 * kPage);
  EXPECT_EQ(table.figures().pinned_bytes, 17 * kPage);
  table.unpin(pages.at(0), 8 * kPage);
  EXPECT_EQ(locked() - before, 9 * kPage);
  table.unpin(pages.at(4) + 10, 8 * kPage);
  EXPECT_EQ(locked(), before);
  EXPECT_EQ(table.figures().regions, 0u);
}

TEST(PinTable, RandomRegionsEndWhereTheyBegan) {
  if (kUnderSanitizers) GTEST_SKIP() << "AddressSanitizer turns mlock into nothing";
  const Pages pages(64);
  PinTable table(false);
  const std::size_t before = locked();
  std::mt19937 random(3);
  std::vector<std::pair<uintptr_t, std::size_t>> held;
  std::vector<int> count(64, 0);
  for (int round = 0; round < 2000; ++round) {
    if (held.empty() || random() % 2 == 0) {
      const std::size_t first = random() % 60, n = 1 + random() % (64 - first - 1);
      ASSERT_EQ(table.pin(pages.at(first), n * kPage, true), 0);
      held.emplace_back(first, n);
      for (std::size_t i = first; i < first + n; ++i) ++count[i];
    } else {
      const std::size_t which = random() % held.size();
      const auto [first, n] = held[which];
      table.unpin(pages.at(first), n * kPage);
      for (std::size_t i = first; i < first + n; ++i) --count[i];
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
    }
    std::size_t pages_held = 0;
    for (int c : count) pages_held += c > 0;
    ASSERT_EQ(locked() - before, pages_held * kPage) << round;
  }
  for (const auto& [first, n] : held) table.unpin(pages.at(first), n * kPage);
  EXPECT_EQ(locked(), before);
}

TEST(PinTable, NotMappedIsNotMemory) {
  PinTable table(false);
  uintptr_t gone;
  {
    const Pages pages(2);
    gone = pages.at(0);
  }
  EXPECT_EQ(table.pin(gone, kPage, true), EFAULT);
  EXPECT_EQ(table.pin(0, kPage, false), EFAULT);
  EXPECT_EQ(table.pin(UINTPTR_MAX - 5, 100, false), EINVAL);  // wraps around
  EXPECT_EQ(table.pin(UINTPTR_MAX - 5, 5, false), EINVAL);    // so does its last page
  EXPECT_EQ(table.figures().regions, 0u);
}

}  // namespace
}  // namespace uroce::verbs::test
