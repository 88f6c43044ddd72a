#include "bench/section_lock.h"

namespace vlbench {

SectionLock::SectionLock(ThreadLock kind) : kind_(kind) {
  pthread_spin_init(&spin_, PTHREAD_PROCESS_PRIVATE);
}

SectionLock::~SectionLock() {
  pthread_spin_destroy(&spin_);
  pthread_mutex_destroy(&mutex_);
}

bool SectionLock::try_lock() noexcept {
  switch (kind_) {
    case ThreadLock::kMutex:
      return pthread_mutex_trylock(&mutex_) == 0;
    case ThreadLock::kSpin:
      return pthread_spin_trylock(&spin_) == 0;
    case ThreadLock::kNone:
      break;
  }
  return true;
}

void SectionLock::lock() noexcept {
  if (kind_ == ThreadLock::kMutex) pthread_mutex_lock(&mutex_);
  if (kind_ == ThreadLock::kSpin) pthread_spin_lock(&spin_);
}

void SectionLock::unlock() noexcept {
  if (kind_ == ThreadLock::kMutex) pthread_mutex_unlock(&mutex_);
  if (kind_ == ThreadLock::kSpin) pthread_spin_unlock(&spin_);
}

}  // namespace vlbench
