#include "addon/watcher.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

#include "addon/env.h"

namespace addon {

Watcher::Watcher(Napi::Env env, Napi::Function callback, int fd,
                 std::function<void(std::vector<WatchedEvent>&)> take,
                 std::function<void(Napi::Env, Napi::Function, const std::vector<WatchedEvent>&)> deliver)
    : env_(env),
      fd_(fd),
      stop_fd_(eventfd(0, EFD_CLOEXEC)),
      take_(std::move(take)),
      shared_(std::make_shared<Shared>()) {
  if (stop_fd_ < 0) throw_errno(env, errno, "eventfd");
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  shared_->deliver = std::move(deliver);
  wake_ = Napi::ThreadSafeFunction::New(env, callback, "verbslab watcher", 0, 1);
  wake_.Unref(env);
  // Added after the function above was made, so it runs before that is torn down.
  napi_add_env_cleanup_hook(env, cleanup, this);
  thread_ = std::thread([this] { run(); });
}

Watcher::~Watcher() {
  stop();
  close(stop_fd_);
}

void Watcher::cleanup(void* self) { static_cast<Watcher*>(self)->stop(); }

void Watcher::stop() noexcept {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stopped = true;
  }
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t done = write(stop_fd_, &one, sizeof one);
  thread_.join();
  wake_.Release();
  napi_remove_env_cleanup_hook(env_, cleanup, this);
}

void Watcher::set_ref(Napi::Env env, bool on) {
  if (!thread_.joinable()) return;
  if (on) {
    wake_.Ref(env);
  } else {
    wake_.Unref(env);
  }
}

void Watcher::run() noexcept {
  pthread_setname_np(pthread_self(), "vl-events");
  std::vector<WatchedEvent> found;
  for (;;) {
    pollfd fds[] = {{fd_, POLLIN, 0}, {stop_fd_, POLLIN, 0}};
    if (poll(fds, 2, -1) < 0 && errno != EINTR) return;
    if (fds[1].revents != 0) return;
    if (fds[0].revents == 0) continue;
    found.clear();
    take_(found);
    if (found.empty()) {
      // A descriptor that stays readable without giving anything is broken: do not spin on it.
      if ((fds[0].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return;
      continue;
    }
    bool schedule = false;
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->events.insert(shared_->events.end(), found.begin(), found.end());
      schedule = !std::exchange(shared_->scheduled, true);
    }
    if (!schedule) continue;
    wake_.NonBlockingCall([shared = shared_](Napi::Env env, Napi::Function callback) {
      std::vector<WatchedEvent> batch;
      {
        const std::lock_guard lock(shared->mutex);
        shared->scheduled = false;
        if (shared->stopped) return;
        batch.swap(shared->events);
      }
      shared->deliver(env, callback, batch);
    });
  }
}

}  // namespace addon
