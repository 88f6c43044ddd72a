// A thread of the feed. Unlike std::thread it throws nothing when the process may have no more threads.
#pragma once

#include <pthread.h>

#include <functional>
#include <utility>

#include "uroce/quiet_thread.h"

namespace uroce::feed {

class OwnThread {
 public:
  OwnThread() = default;
  OwnThread(const OwnThread&) = delete;
  OwnThread& operator=(const OwnThread&) = delete;

  // 0 or an errno.
  int start(std::function<void()> work) {
    work_ = std::move(work);
    const int error = start_quiet_thread(&thread_, &OwnThread::entry, this);
    running_ = error == 0;
    return error;
  }
  void join() {
    if (std::exchange(running_, false)) pthread_join(thread_, nullptr);
  }

 private:
  static void* entry(void* self) {
    static_cast<OwnThread*>(self)->work_();
    return nullptr;
  }

  std::function<void()> work_;
  pthread_t thread_{};
  bool running_ = false;
};

}  // namespace uroce::feed
