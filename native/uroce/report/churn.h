// Registration on the hot path: regions that live briefly, again and again between posts.
#pragma once

#include <cstdint>

namespace uroce::report {

class Churn {
 public:
  static constexpr uint64_t kBrief = 1'000'000'000;   // ns: a region that lived no longer counts
  static constexpr uint64_t kWindow = 1'000'000'000;  // ns
  static constexpr uint32_t kMany = 64;               // in a window

  // A region went after `lived` ns; `posts` is how many work requests were posted so far. Returns how many to
  // report: 0 below the threshold, all of the window when it is reached, then one at a time. Regions between
  // which nothing was posted count once: making or dropping a pool is no churn.
  uint32_t deregistered(uint64_t now, uint64_t lived, uint64_t posts);

 private:
  uint64_t window_began_ = 0;
  uint32_t in_window_ = 0;
  uint64_t posts_then_ = 0;
};

}  // namespace uroce::report
