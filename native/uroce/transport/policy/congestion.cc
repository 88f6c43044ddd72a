#include "uroce/transport/policy/congestion.h"

#include <type_traits>
#include <utility>

#include "uroce/transport/policy/pacer.h"
#include "uroce/transport/policy/rtt.h"

namespace uroce::transport {
namespace {

constexpr uint64_t kNotHeld = UINT64_MAX;
constexpr uint64_t kLongestUnasked = 1'000'000;  // ns

}  // namespace

struct Congestion::Controlled {
  template <class Law>
  Controlled(Law made, uint64_t late) : law(std::move(made)), slack(late) {}

  std::variant<Dcqcn, Swift, Timely> law;
  Pacer pacer;
  RttRing round_trips;
  uint64_t slack;
  uint64_t held_until = kNotHeld;
  uint64_t acked_to = 0;  // PSN up to which the law was told of ACKs
  SmoothedRtt smoothed;

  template <class F>
  auto visit(F&& f) {
    return std::visit(f, law);
  }
};

Congestion::Congestion() = default;
Congestion::~Congestion() = default;

void Congestion::choose(const CongestionChoice& choice, uint64_t slack) {
  controlled_.reset();
  measures_delay_ = false;
  std::visit(
      [&](const auto& parameters) {
        using Parameters = std::decay_t<decltype(parameters)>;
        const auto make = [&](auto law) {
          measures_delay_ = decltype(law)::kMeasuresDelay;
          controlled_ = std::make_unique<Controlled>(std::move(law), slack);
        };
        if constexpr (std::is_same_v<Parameters, DcqcnParameters>) make(Dcqcn(parameters));
        if constexpr (std::is_same_v<Parameters, SwiftParameters>) make(Swift(parameters));
        if constexpr (std::is_same_v<Parameters, TimelyParameters>) make(Timely(parameters));
      },
      choice);
  take_window();
}

void Congestion::take_window() {
  const uint32_t most =
      controlled_ ? controlled_->visit([](const auto& law) { return law.window(); }) : UINT32_MAX;
  window_ = std::min(cut_.window(most), ceiling_);
}

void Congestion::reset_law(uint32_t mtu) {
  Controlled& c = *controlled_;
  c.visit([=](auto& law) { law.reset(mtu); });
  c.pacer.reset();
  c.round_trips.clear();
  c.smoothed = {};
  c.held_until = kNotHeld;
  c.acked_to = 0;
  take_window();
}

void Congestion::take_ack(uint64_t now, uint64_t to, uint32_t most) {
  cut_.acked(most);
  if (controlled_) {
    Controlled& c = *controlled_;
    const uint64_t packets = c.acked_to == 0 ? 1 : to - std::min(to, c.acked_to);
    c.acked_to = to;
    const Acked acked{now, static_cast<uint32_t>(packets), c.round_trips.acked(to, now)};
    c.smoothed.add(acked.rtt);
    c.visit([&](auto& law) { law.acked(acked); });
  }
  take_window();
}

void Congestion::timed_out(uint64_t now, uint32_t most, uint32_t divisor) {
  cut_.timed_out(most, divisor);
  if (controlled_) controlled_->visit([=](auto& law) { law.timed_out(now); });
  take_window();
}

void Congestion::law_lost(uint64_t now) {
  controlled_->visit([=](auto& law) { law.lost(now); });
  take_window();
}

void Congestion::law_cnp(uint64_t now) {
  controlled_->visit([=](auto& law) { law.cnp(now); });
  take_window();
}

void Congestion::law_rewound(uint64_t to) {
  controlled_->round_trips.clear();
  controlled_->acked_to = std::min(controlled_->acked_to, to);
}

bool Congestion::holds(uint64_t now) {
  Controlled& c = *controlled_;
  const bool held = now < c.pacer.next() && c.visit([=](auto& law) { return law.rate(now); }) != 0;
  c.held_until = held ? c.pacer.next() : kNotHeld;
  return held;
}

void Congestion::sent(uint64_t now, uint32_t bytes, uint64_t longest) {
  Controlled& c = *controlled_;
  const uint64_t rate = c.visit([=](auto& law) {
    law.sent(bytes, now);
    return law.rate(now);
  });
  if (rate != 0) {
    c.pacer.sent(now, bytes, rate, c.slack, longest);
  } else {
    c.pacer.reset();
  }
}

void Congestion::asked_for_ack(uint64_t now, uint64_t end) { controlled_->round_trips.sent(end, now); }

uint32_t Congestion::ack_bytes(uint64_t now, uint64_t timeout) const {
  return controlled_->visit([=](auto& law) {
    const uint64_t rate = law.rate(now);
    if (rate == 0) return law.ack_bytes();
    const uint64_t in_time = rate / 8 * std::min(timeout / 4, kLongestUnasked) / 1'000'000'000;
    return static_cast<uint32_t>(std::min<uint64_t>(law.ack_bytes(), in_time));
  });
}

uint64_t Congestion::held_until() const { return controlled_->held_until; }

bool Congestion::released(uint64_t now) {
  if (!controlled_ || now < controlled_->held_until) return false;
  controlled_->held_until = kNotHeld;
  return true;
}

uint64_t Congestion::cnp_interval(uint64_t configured) const {
  const Dcqcn* dcqcn = controlled_ ? std::get_if<Dcqcn>(&controlled_->law) : nullptr;
  return dcqcn != nullptr ? dcqcn->cnp_interval() : configured;
}

CongestionState Congestion::state(uint64_t now) const {
  if (!controlled_) return {};
  CongestionState state = controlled_->visit([=](auto& law) { return law.state(now); });
  state.smoothed_rtt = controlled_->smoothed.ns();
  return state;
}

CongestionChoice Congestion::choice() const {
  if (!controlled_) return NoLaw{};
  return controlled_->visit([](const auto& law) -> CongestionChoice { return law.parameters(); });
}

}  // namespace uroce::transport
