// A doubly linked list whose links live in the element: adding and removing neither allocate nor search.
#pragma once

namespace uroce::transport {

template <class T>
struct ListHook {
  T* prev = nullptr;
  T* next = nullptr;
  bool linked = false;
};

template <class T, ListHook<T> T::* Hook>
class IntrusiveList {
 public:
  bool empty() const { return first_ == nullptr; }
  T* front() const { return first_; }
  T* back() const { return last_; }
  static T* next(T* item) { return (item->*Hook).next; }
  static T* previous(T* item) { return (item->*Hook).prev; }

  // Does nothing when the item is already on the list.
  void push_back(T* item) {
    ListHook<T>& hook = item->*Hook;
    if (hook.linked) return;
    hook = {last_, nullptr, true};
    if (last_) {
      (last_->*Hook).next = item;
    } else {
      first_ = item;
    }
    last_ = item;
  }
  // Does nothing when the item is already on the list.
  void push_front(T* item) {
    ListHook<T>& hook = item->*Hook;
    if (hook.linked) return;
    hook = {nullptr, first_, true};
    (first_ ? (first_->*Hook).prev : last_) = item;
    first_ = item;
  }
  // Behind `place`; in front of all where that is null. Does nothing when the item is already on the list.
  void insert_behind(T* place, T* item) {
    ListHook<T>& hook = item->*Hook;
    if (hook.linked) return;
    if (place == nullptr) return push_front(item);
    T* const following = (place->*Hook).next;
    hook = {place, following, true};
    (following ? (following->*Hook).prev : last_) = item;
    (place->*Hook).next = item;
  }
  void remove(T* item) {
    ListHook<T>& hook = item->*Hook;
    if (!hook.linked) return;
    (hook.prev ? (hook.prev->*Hook).next : first_) = hook.next;
    (hook.next ? (hook.next->*Hook).prev : last_) = hook.prev;
    hook = {};
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
};

}  // namespace uroce::transport
