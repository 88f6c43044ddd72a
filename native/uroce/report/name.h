// Words and times that both forms of the report use.
#pragma once

#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "uroce/report/finding.h"

namespace uroce::report {

// The object as text names it: "QP 0x000012", "CQ #1".
inline std::string name_of(const Finding& f) {
  const std::string kind = text_of(f.kind).name;
  if (f.number == 0) return kind;
  const bool key = f.kind == Kind::mr || f.kind == Kind::mw;
  char number[16];
  std::snprintf(number, sizeof number, key ? " 0x%08x" : f.kind == Kind::qp ? " 0x%06x" : " #%u", f.number);
  return kind + number;
}

// `ENOMEM`.
inline std::string error_name(int error) {
  const char* name = strerrorname_np(error);
  return name != nullptr ? name : std::to_string(error);
}

// `SIGTERM`; the C library's names lack the prefix, and are newer than some systems.
inline std::string signal_name(int signal) {
  constexpr std::pair<int, const char*> kNames[] = {
      {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
      {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGSEGV, "SIGSEGV"},
      {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}, {SIGTERM, "SIGTERM"}, {SIGUSR1, "SIGUSR1"},
      {SIGUSR2, "SIGUSR2"}, {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}, {SIGSYS, "SIGSYS"}};
  for (const auto& [number, name] : kNames) {
    if (number == signal) return name;
  }
  return "signal " + std::to_string(signal);
}

// ns since the epoch.
inline int64_t wall_of(const Report& report, uint64_t monotonic_ns) {
  return report.began_wall_ns + static_cast<int64_t>(monotonic_ns - report.began_ns);
}

}  // namespace uroce::report
