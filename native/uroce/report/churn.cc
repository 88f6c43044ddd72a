#include "uroce/report/churn.h"

namespace uroce::report {

uint32_t Churn::deregistered(uint64_t now, uint64_t lived, uint64_t posts) {
  if (lived > kBrief || posts == posts_then_) return 0;
  posts_then_ = posts;
  if (now - window_began_ > kWindow) {
    window_began_ = now;
    in_window_ = 0;
  }
  ++in_window_;
  if (in_window_ < kMany) return 0;
  return in_window_ == kMany ? kMany : 1;
}

}  // namespace uroce::report
