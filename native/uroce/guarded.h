// Touches memory of the program that may be gone since it was registered: unmapped, truncated or
// write-protected.
//
//   guarded([&] { guard_range(from, length); std::memcpy(to, from, length); })
//
// returns false if the memory named by guard_range() could not be accessed. The fault's signal handler
// (verbs/device/fault_catcher.h) makes it return; without the handler the fault takes its usual course.
// Copies have their own functions (transport/memory/guarded_copy.h).
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define UROCE_SHORT_COPIES 1
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef UROCE_SHORT_COPIES  // a sanitizer does not see their accesses
#endif
#endif
#endif

namespace uroce {

struct Guard {
  // Bytes of the program that this thread accesses now; none if begin equals end.
  uintptr_t begin = 0, end = 0;
  uintptr_t fault = 0;    // address of the last fault
  bool prepared = false;  // this thread can take the signal
  void* frame[5] = {};    // buffer of __builtin_setjmp
};

// TLS of the initial-exec model, so that a signal handler may read it: no access allocates.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Guard t_guard;

// Called by a thread before its first access to such memory.
inline void (*g_prepare_guard)() = nullptr;

inline void prepare_guard() {
  if (t_guard.prepared) [[likely]]
    return;
  t_guard.prepared = true;
  if (g_prepare_guard != nullptr) g_prepare_guard();
}

inline void guard_range(const void* from, std::size_t length) {
  t_guard.begin = reinterpret_cast<uintptr_t>(from);
  t_guard.end = t_guard.begin + length;
  __asm__ volatile("" ::: "memory");
}

// Calls f, which may only copy: a copy that was begun is left unfinished. Not inlined, because the compiler
// keeps no variable in a register across __builtin_setjmp.
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

// Makes guarded() return false. For a handler that lets its thread go on there.
[[noreturn]] inline void leave_guarded() { __builtin_longjmp(t_guard.frame, 1); }

#if defined(UROCE_SHORT_COPIES)
// Begin and end of the code of short copies (transport/memory/guarded_copy.h), and the continuation of a
// thread that cannot make one.
extern "C" [[gnu::visibility("hidden")]] const char uroce_short_begin[], uroce_short_end[],
    uroce_short_gone[];
#endif

}  // namespace uroce
