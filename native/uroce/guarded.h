// Touches memory of the program that may be gone since it was registered: unmapped, truncated or write-protected.
//
//   guarded([&] { watch(from, length); std::memcpy(to, from, length); })
//
// is false if the memory named by watch() could not be touched. The fault's signal handler
// (verbs/device/fault_catcher.h) makes it so; without one the fault takes its usual course. Copies have functions of their
// own (transport/memory/guarded_copy.h).
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define UROCE_SHORT_COPIES 1
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef UROCE_SHORT_COPIES  // a sanitizer does not see what they touch
#endif
#endif
#endif

namespace uroce {

struct Guard {
  // Bytes of the program that this thread touches now; none if they are equal.
  uintptr_t begin = 0, end = 0;
  uintptr_t fault = 0;    // where the last one was
  bool prepared = false;  // this thread can take the signal
  void* frame[5] = {};    // of __builtin_setjmp
};

// TLS of the initial-exec model, so that a signal handler may read it: no access allocates.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Guard t_guard;

// Called by a thread before it first touches such memory.
inline void (*g_prepare_guard)() = nullptr;

inline void prepare_guard() {
  if (t_guard.prepared) [[likely]]
    return;
  t_guard.prepared = true;
  if (g_prepare_guard != nullptr) g_prepare_guard();
}

inline void watch(const void* from, std::size_t length) {
  t_guard.begin = reinterpret_cast<uintptr_t>(from);
  t_guard.end = t_guard.begin + length;
  __asm__ volatile("" ::: "memory");
}

// Nothing but copies may be in f(): what it has begun is left as it is. Not inlined, because the compiler keeps no
// variable in a register across __builtin_setjmp.
template <class F>
[[gnu::noinline]] bool guarded(F&& f) {
  prepare_guard();
  if (__builtin_setjmp(t_guard.frame) != 0) {
    t_guard.begin = t_guard.end = 0;
    return false;
  }
  f();
  __asm__ volatile("" ::: "memory");
  t_guard.begin = t_guard.end = 0;
  return true;
}

// Where guarded() returns false, for a handler that lets its thread go on here.
[[noreturn]] inline void leave_guarded() { __builtin_longjmp(t_guard.frame, 1); }

#if defined(UROCE_SHORT_COPIES)
// Where the code of short copies begins and ends (transport/memory/guarded_copy.h), and where a thread goes on that
// cannot make one.
extern "C" [[gnu::visibility("hidden")]] const char uroce_short_begin[], uroce_short_end[],
    uroce_short_gone[];
#endif

}  // namespace uroce
