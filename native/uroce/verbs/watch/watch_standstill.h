// Queues of this process in which nothing moves, sampled with the ticks of the feed: the oldest request of
// each queue pair and what it waits for, and completions that nobody polls. Nothing here runs per message.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "uroce/report/ledger.h"
#include "uroce/types.h"
#include "uroce/verbs/watch/watch_still.h"

namespace uroce::verbs {

class Device;
struct CqObject;
struct QpObject;

namespace watch {

class Standstill {
 public:
  // With the mutex of Work.
  void made(const report::Live& object);
  void gone(const report::Live& object);
  // The device is closed: forgets all. Returns the message to send, or nothing, like sample().
  std::string end();

  // Takes a sample, and returns the message to send: `{"type":"standstill",…`, open for its time. Empty:
  // nothing new. Not with the engine lock. The feed's thread.
  std::string sample(Device& device);

 private:
  struct OfQp {
    Still<uint64_t> sends;     // progress of the send queue
    Still<uint64_t> receives;  // receives posted and left
    Still<QpState> state;
    Still<uint32_t> rnr_received, rnr_sent;
    uint32_t rnr_before = 0;       // RNR NAKs received before the oldest request
    uint32_t rnr_sent_before = 0;  // RNR NAKs sent before the latest receive
    std::string why, cure;         // for the peer's silence
    uint64_t look_again = 0;
  };
  struct OfCq {
    uint32_t number = 0;
    Still<uint64_t> taken;  // completions polled, or that there are none
    Still<uint64_t> polls;
  };
  struct Shot;
  struct QpShot;
  struct CqShot;

  void look_at(Device& device, const QpObject& qp, OfQp& of, uint64_t now, Shot& shot);
  void look_at(const CqObject& cq, OfCq& of, uint64_t now, Shot& shot);
  bool take(Device& device, Shot& shot);
  static std::string text_of(const Shot& shot);

  std::unordered_map<const QpObject*, OfQp> qps_;
  std::unordered_map<const CqObject*, OfCq> cqs_;
  uint64_t moved_ = 0;  // when something last moved in any queue
  uint64_t next_ = 0;   // time of the next message, unless it says that all moves again
  std::string last_;
};

}  // namespace watch
}  // namespace uroce::verbs
