// Data of the report: the live objects and the findings so far. Safe to call from any thread; takes no
// other lock while it holds its own.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "uroce/report/churn.h"
#include "uroce/report/finding.h"

namespace uroce::report {

struct Live {
  const void* handle;
  Kind kind;
  uint32_t number;
};

// A call of librdmacm that makes objects for its caller. `destroy` ends the object of kind `whole`, and the others of
// this call with it.
struct Maker {
  const char* make;
  const char* destroy;
  Kind whole;
  uint64_t call;  // from 1
};

// The maker of the objects that this thread makes now; null: the program itself, with the call of their kind.
inline thread_local const Maker* t_maker = nullptr;

// An observer of objects as they are made and destroyed. Called without the ledger's lock, in the thread that
// makes or destroys the object, before its memory goes.
struct Observer {
  void (*made)(const Live& object);
  void (*gone)(const Live& object);
};

class Ledger {
 public:
  static constexpr std::size_t kMaxFindings = 1000;
  static constexpr uint32_t kRnrStorm = 32;  // RNR NAKs of one QP

  Ledger();

  // Must outlive the ledger.
  void set_observer(const Observer* observer) { observer_.store(observer); }

  // number 0: the n-th of its kind. Called in the thread of the program that makes the object.
  void made(Kind kind, const void* handle, uint32_t number);
  void gone(const void* handle);
  // A work request was posted.
  void posted() { posts_.fetch_add(1, std::memory_order_relaxed); }
  // Counts completions that the program took. The first of a kind is a change of the report.
  void polled(const Completions& some);
  // Adds to the finding of this misuse, call and object, or begins it. here: the calling thread is the
  // program's, in the call; else the place is where the object was made.
  void note(Misuse misuse, const char* call, const void* handle, std::string detail, bool here,
            uint64_t count = 1);
  // Adds to the finding, with a note. An unknown object is named by its kind alone.
  void note(Misuse misuse, const char* call, const void* handle, Note note, uint64_t count = 1);
  // Counts a call that a rule of injected faults failed.
  void injected(const char* call, int error, uint64_t count);
  // Notes that the program loaded a library of the system by name. Such a program may use no device, and
  // still has a report.
  void loaded_library(const std::string& path);
  // Counts an RNR NAK of a QP, which is a storm from kRnrStorm on.
  void rnr(const void* handle, bool sent);

  // RNR NAKs that this QP received and sent.
  struct RnrNaks {
    uint32_t received = 0, sent = 0;
  };
  RnrNaks rnr_naks(const void* handle) const;
  // True if nothing was opened: there is nothing to report.
  bool unused() const;
  std::vector<Live> live() const;
  std::optional<Live> find(const void* handle) const;
  std::optional<Live> find(Kind kind, uint32_t number) const;
  // ns since the MR of this key was deregistered; nothing if none was lately.
  std::optional<uint64_t> deregistered(uint32_t key) const;
  // Findings so far, and live objects: as findings if the process ends by itself.
  Report finish(Ending ending = Ending::itself, int signal = 0) const;
  // Increases with each change of the result of finish().
  uint64_t version() const { return version_.load(std::memory_order_relaxed); }

 private:
  struct Entry {
    Kind kind;
    uint32_t number;
    Caller where;
    uint64_t born_ns;
    std::optional<Maker> maker{};
    bool part() const { return maker && maker->whole != kind; }
    uint32_t rnr_sent = 0;
    uint32_t rnr_received = 0;
  };
  using Key = std::tuple<Misuse, std::string, Kind, uint32_t, uint64_t>;

  // Locked. The time of the report starts with the first action of the program.
  void begin(uint64_t now);
  void add(Misuse misuse, const char* call, const Entry& entry, Note note, uint64_t count);

  std::atomic<const Observer*> observer_{nullptr};
  mutable std::mutex mutex_;
  std::unordered_map<const void*, Entry> live_;
  std::unordered_map<Kind, uint32_t> ordinals_;
  std::map<Key, Finding> findings_;
  std::map<std::pair<std::string, int>, uint64_t> injected_;
  struct Deregistered {
    uint32_t key = 0;
    uint64_t when = 0;
  };
  std::array<Deregistered, 256> deregistered_{};  // the latest, in a ring
  std::size_t deregistrations_ = 0;
  Churn churn_;
  std::atomic<uint64_t> posts_{0};
  std::atomic<uint64_t> successful_{0}, failed_{0}, flushed_{0};
  std::atomic<uint64_t> version_{0};
  bool used_ = false;
  uint64_t began_ns_ = 0;
  int64_t began_wall_ns_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace uroce::report
