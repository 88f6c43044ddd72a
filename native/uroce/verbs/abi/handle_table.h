// The objects that programs hold. In a system call rdma-core names an object by its context and handle, and
// the kernel knows which exist. This table replaces the kernel. It refuses a call on an unknown pointer
// (never made, or destroyed) and on an object whose context or handle was overwritten, before anything is
// touched. For the control path only.
#pragma once

#include <cstdint>

#include "uroce/verbs/abi/abi.h"

namespace uroce::verbs {
namespace handles {

enum class Kind : uint8_t { context, td, pd, mr, mw, ah, cq, srq, qp, channel };

inline Kind kind_of(const ibv_context*) { return Kind::context; }
inline Kind kind_of(const ibv_td*) { return Kind::td; }
inline Kind kind_of(const ibv_pd*) { return Kind::pd; }
inline Kind kind_of(const ibv_mr*) { return Kind::mr; }
inline Kind kind_of(const ibv_mw*) { return Kind::mw; }
inline Kind kind_of(const ibv_ah*) { return Kind::ah; }
inline Kind kind_of(const ibv_cq*) { return Kind::cq; }
inline Kind kind_of(const ibv_srq*) { return Kind::srq; }
inline Kind kind_of(const ibv_qp*) { return Kind::qp; }
inline Kind kind_of(const ibv_comp_channel*) { return Kind::channel; }

struct Entry {
  Kind kind;
  uint32_t handle;  // 0 for objects without one
  const ibv_context* context;
  bool operator==(const Entry&) const = default;
};

// The entry for the object's own fields.
template <class T>
Entry entry_of(const T* object) {
  Entry entry{kind_of(object), 0, nullptr};
  if constexpr (requires { object->handle; }) entry.handle = object->handle;
  if constexpr (requires { object->context; }) entry.context = object->context;
  return entry;
}

// The next handle; never 0.
uint32_t next();
void enter(const void* object, const Entry& entry);
void leave(const void* object);
// The entry recorded at creation; false if there is none. Does not touch the object.
bool find(const void* object, Entry* entry);

// Keeps the memory of a destroyed object for a while: inline functions of <infiniband/verbs.h> follow its
// context before this library sees the call.
void free_later(void* memory, void (*free)(void*));

}  // namespace handles

// Enters a new object, complete with its context and handle.
template <class T>
void enter_handle(const T* object) {
  handles::enter(object, handles::entry_of(object));
}

template <class T>
void leave_handle(const T* object) {
  handles::leave(object);
}

// True if the object exists and has the context and handle that it was made with.
template <class T>
bool is_live(const T* object) {
  handles::Entry entry{};
  if (object == nullptr || !handles::find(object, &entry) || entry.kind != handles::kind_of(object))
    return false;
  return entry == handles::entry_of(object);
}
// True for a live object, and for nullptr.
template <class T>
bool is_live_or_null(const T* object) {
  return object == nullptr || is_live(object);
}

// True if all objects belong to this context. The kernel keeps handles per context and finds no others.
template <class... T>
bool in_context(const ibv_context* context, const T*... objects) {
  return ((objects == nullptr || objects->context == context) && ...);
}

// Replaces delete for an object behind a handle.
template <class T>
void free_later(T* object) {
  handles::free_later(object, [](void* memory) { delete static_cast<T*>(memory); });
}

}  // namespace uroce::verbs
