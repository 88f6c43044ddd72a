// Are these tests built with AddressSanitizer (and UBSan, which goes with it here) or ThreadSanitizer? Some
// system calls and all sizes are then other than in production.
#pragma once

namespace uroce {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kUnderSanitizers = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kUnderSanitizers = true;
#else
constexpr bool kUnderSanitizers = false;
#endif
#else
constexpr bool kUnderSanitizers = false;
#endif

}  // namespace uroce
