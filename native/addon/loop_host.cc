#include "addon/loop_host.h"

#include <utility>

#include "addon/args.h"
#include "addon/figures.h"

namespace addon {

LoopHost::LoopHost(Napi::Env env, const Napi::Object& callbacks, const Napi::Value& ring, const Make& make,
                   std::function<void()> release)
    : env_(env), shared_(std::make_shared<Shared>()), release_(std::move(release)) {
  vlbench::Callbacks native;
  native.ready = [this](int port) {
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->ready = port;
    }
    wake();
  };
  native.report = [this](vlbench::Figures&& figures) {
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->reports.push_back(std::move(figures));
    }
    wake();
  };
  native.end = [this](vlbench::Outcome&& outcome, const std::optional<vlbench::Failure>& failure) {
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->ended = Ended{std::move(outcome), failure};
    }
    wake();
  };
  try {
    loop_ = make(std::move(native));
  } catch (const vlbench::Failure& failure) {
    throw_failure(env, failure);
  }
  shared_->host = this;
  shared_->callbacks = Napi::Persistent(callbacks);
  if (ring.IsObject()) ring_ = Napi::Persistent(ring.As<Napi::Object>());
  // The function is never called by itself: `deliver` calls what it needs.
  wake_ = Napi::ThreadSafeFunction::New(env, Napi::Function::New(env, [](const Napi::CallbackInfo&) {}),
                                        "verbslab loop", 0, 1);
  // Added after the function above was made, so it runs before that is torn down.
  napi_add_env_cleanup_hook(env, cleanup, this);
  loop_->start();
}

LoopHost::~LoopHost() { finish(); }

void LoopHost::cleanup(void* self) { static_cast<LoopHost*>(self)->finish(); }

void LoopHost::finish() noexcept {
  if (!loop_) return;
  loop_->join();
  loop_.reset();
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->host = nullptr;
  }
  if (release_) std::exchange(release_, nullptr)();
  ring_.Reset();
  wake_.Release();
  napi_remove_env_cleanup_hook(env_, cleanup, this);
}

void LoopHost::stop(uint64_t drain_ns) noexcept {
  if (loop_) loop_->stop(drain_ns);
}

void LoopHost::wake() noexcept {
  {
    const std::lock_guard lock(shared_->mutex);
    if (std::exchange(shared_->scheduled, true)) return;
  }
  wake_.NonBlockingCall([shared = shared_](Napi::Env env, Napi::Function) { deliver(env, shared); });
}

void LoopHost::deliver(Napi::Env env, const std::shared_ptr<Shared>& shared) {
  std::optional<int> ready;
  std::vector<vlbench::Figures> reports;
  std::optional<Ended> ended;
  {
    const std::lock_guard lock(shared->mutex);
    shared->scheduled = false;
    ready = std::exchange(shared->ready, std::nullopt);
    reports.swap(shared->reports);
    ended = std::exchange(shared->ended, std::nullopt);
  }
  const Napi::HandleScope scope(env);
  const Napi::Object callbacks = shared->callbacks.Value();
  const auto call = [&](const char* name, const std::vector<napi_value>& args) {
    callbacks.Get(name).As<Napi::Function>().Call(callbacks, args);
  };
  // QPs and memory are free again before JavaScript hears of the end, which nothing that it throws keeps
  // from it.
  if (ended && shared->host != nullptr) shared->host->finish();
  const auto run = [&](const auto& calls) {
    try {
      calls();
    } catch (const Napi::Error& error) {
      // Node only warns of what a callback of this kind throws.
      napi_fatal_exception(env, error.Value());
    }
  };
  if (ready) run([&] { call("ready", {Napi::Number::New(env, *ready)}); });
  for (const auto& figures : reports) run([&] { call("report", {to_js(env, figures)}); });
  if (!ended) return;
  run([&] {
    const Napi::Value error = ended->failure ? make_error(env, *ended->failure) : env.Null();
    call("end", {to_js(env, ended->outcome), error});
  });
  shared->callbacks.Reset();
}

}  // namespace addon
