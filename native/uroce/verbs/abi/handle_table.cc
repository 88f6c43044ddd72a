#include "uroce/verbs/abi/handle_table.h"

#include <pthread.h>

#include <deque>
#include <mutex>
#include <unordered_map>

namespace uroce::verbs::handles {
namespace {

constexpr std::size_t kKeptObjects = 64;

struct KeptObject {
  void* memory;
  void (*free)(void*);
};

// The innermost lock: no other is taken while it is held.
struct Table {
  std::mutex mutex;
  std::unordered_map<const void*, Entry> entries;
  std::deque<KeptObject> kept;
  uint32_t last = 0;
};

// Never destroyed: objects may outlive the library's static ones.
Table& table() {
  static Table& the = *new Table;
  return the;
}

// A forked child must find the table consistent and its lock free.
__attribute__((constructor)) void survive_fork() {
  pthread_atfork([] { table().mutex.lock(); }, [] { table().mutex.unlock(); },
                 [] { table().mutex.unlock(); });
}

}  // namespace

uint32_t next() {
  std::lock_guard guard(table().mutex);
  if (++table().last == 0) ++table().last;
  return table().last;
}

void enter(const void* object, const Entry& entry) {
  std::lock_guard guard(table().mutex);
  table().entries[object] = entry;
}

void leave(const void* object) {
  std::lock_guard guard(table().mutex);
  table().entries.erase(object);
}

bool find(const void* object, Entry* entry) {
  std::lock_guard guard(table().mutex);
  const auto it = table().entries.find(object);
  if (it == table().entries.end()) return false;
  *entry = it->second;
  return true;
}

void free_later(void* memory, void (*free)(void*)) {
  KeptObject oldest{nullptr, nullptr};
  {
    std::lock_guard guard(table().mutex);
    table().kept.push_back({memory, free});
    if (table().kept.size() > kKeptObjects) {
      oldest = table().kept.front();
      table().kept.pop_front();
    }
  }
  if (oldest.memory != nullptr) oldest.free(oldest.memory);
}

}  // namespace uroce::verbs::handles
