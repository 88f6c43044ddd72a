// Are these tests built with AddressSanitizer (and UBSan, which goes with it here)? Some system calls then
// behave otherwise than in production.
#pragma once

namespace uroce::test {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kUnderSanitizers = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kUnderSanitizers = true;
#else
constexpr bool kUnderSanitizers = false;
#endif
#else
constexpr bool kUnderSanitizers = false;
#endif

}  // namespace uroce::test
