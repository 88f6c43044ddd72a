// Memory windows of an end under test. It binds windows over the region that its peer writes and reads, and
// lets the peer have them once bound. The peer uses their keys instead of the region's, and gives them back:
// a type 2 window by a SEND that invalidates it, a type 1 window once nothing that uses it is outstanding.
// Some are invalidated by their owner before the peer ever sees them.
#include <algorithm>

#include "endpoint.h"

namespace uroce::sim {

void Endpoint::make_windows() {
  for (uint32_t i = 0; i < kWindows; ++i) {
    Window w;
    w.type2 = i % 2 == 0;
    w.key = *engine_.alloc_mw(pd_, w.type2 ? transport::MwType::type2 : transport::MwType::type1);
    windows_.push_back(w);
  }
}

// A bind or a local invalidate; false if there is none to be done.
bool Endpoint::build_local(transport::SendWr& wr, transport::MwBind& bind, Posted& posted) {
  const uint32_t index = random_.below(kWindows);
  Window& w = windows_[index];
  if (w.state == Window::own) {
    wr.opcode = WrOpcode::local_inv;
    wr.imm_data = w.key;
    w.state = Window::leaving;
  } else if (w.state == Window::free) {
    const uint32_t key = (w.key & ~0xffu) | (random_.next() & 0xff);
    w.length = 1 + random_.below(window_.size);
    w.at = window_.at + random_.below(window_.size - w.length + 1);
    const bool zero = w.type2 && random_.below(2) == 0;
    w.base = zero ? 0 : Memory::iova(w.at);
    bind = {w.key,
            key,
            window_.key,
            Memory::iova(w.at),
            w.length,
            access_flag::remote_write | access_flag::remote_read | (zero ? access_flag::zero_based : 0)};
    w.key = key;
    w.state = Window::binding;
    wr.opcode = WrOpcode::bind_mw;
    wr.bind = &bind;
  } else {
    return false;
  }
  posted.opcode = wr.opcode;
  posted.window = static_cast<int>(index);
  posted.len = 0;
  return true;
}

void Endpoint::local_done(const Posted& p) {
  Window& w = windows_[static_cast<size_t>(p.window)];
  if (p.opcode == WrOpcode::local_inv) {
    w.state = Window::free;
  } else if (w.type2 && random_.below(8) == 0) {
    w.state = Window::own;
  } else {
    w.state = Window::lent;
    peer_->borrowed_.push_back({static_cast<uint32_t>(p.window), w, 0});
  }
}

// A borrowed window that reaches over `len` bytes, or nullptr: then the region's own key will do.
Endpoint::Borrowed* Endpoint::borrowed(uint32_t len) {
  if (borrowed_.empty() || len == 0 || random_.below(4) == 0) return nullptr;
  Borrowed& b = borrowed_[random_.below(static_cast<uint32_t>(borrowed_.size()))];
  return b.window.length >= len ? &b : nullptr;
}

// Aims at bytes of the peer's window region; returns their offset.
uint32_t Endpoint::aim(transport::SendWr& wr, uint32_t len) {
  if (Borrowed* b = borrowed(len)) {
    const uint32_t into = random_.below(b->window.length - len + 1);
    wr.remote_addr = b->window.base + into;
    wr.rkey = b->window.key;
    b->last_use = next_id_;
    return b->window.at + into;
  }
  const uint32_t at = peer_->window_.at + random_.below(window_.size - len + 1);
  wr.remote_addr = Memory::iova(at);
  wr.rkey = len != 0 ? peer_->window_.key : random_.next();
  return at;
}

// Gives back a type 2 window with this SEND; a plain one if there is none.
void Endpoint::give_back(transport::SendWr& wr) {
  const auto it =
      std::find_if(borrowed_.begin(), borrowed_.end(), [](const Borrowed& b) { return b.window.type2; });
  wr.opcode = WrOpcode::send;
  if (it == borrowed_.end()) return;
  wr.opcode = WrOpcode::send_with_inv;
  wr.imm_data = it->window.key;
  borrowed_.erase(it);
}

void Endpoint::invalidated(uint32_t rkey) {
  const auto it =
      std::find_if(windows_.begin(), windows_.end(), [rkey](const Window& w) { return w.key == rkey; });
  require(it != windows_.end() && it->state == Window::lent, "a window invalidated that was not lent");
  it->state = Window::free;
}

// Type 1 windows that nothing outstanding uses may go back.
void Endpoint::return_unused() {
  const uint64_t oldest = outstanding_.empty() ? next_id_ : outstanding_.front().id;
  std::erase_if(borrowed_, [&](const Borrowed& b) {
    if (b.window.type2 || b.last_use >= oldest || random_.below(64) != 0) return false;
    peer_->windows_[b.index].state = Window::free;
    return true;
  });
}

void Endpoint::free_windows() {
  for (const Window& w : windows_) require(engine_.dealloc_mw(w.key) == 0, "dealloc_mw failed");
}

}  // namespace uroce::sim
