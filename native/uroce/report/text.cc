// The report for people.
#include <time.h>

#include <cinttypes>
#include <cstdio>

#include "uroce/report/finding.h"
#include "uroce/report/name.h"
#include "uroce/report/place.h"

namespace uroce::report {
namespace {

std::string place_text(const void* where) {
  const Place place = place_of(where);
  if (place.object.empty()) return "";
  char text[32];
  std::snprintf(text, sizeof text, "+0x%" PRIxPTR, place.offset);
  return " at " + (place.function.empty() ? "" : place.function + ", ") + place.object + text;
}

std::string time_text(const Report& report, uint64_t first_ns) {
  const int64_t wall = wall_of(report, first_ns);
  const auto seconds = static_cast<time_t>(wall / 1'000'000'000);
  tm local{};
  localtime_r(&seconds, &local);
  char clock[16], text[64];
  strftime(clock, sizeof clock, "%H:%M:%S", &local);
  const int64_t after = static_cast<int64_t>(first_ns) - static_cast<int64_t>(report.began_ns);
  std::snprintf(text, sizeof text, "%s.%03d (%+.3f s)", clock, static_cast<int>(wall / 1'000'000 % 1000),
                static_cast<double>(after) / 1e9);
  return text;
}

std::string ending_text(const Report& report) {
  switch (report.ending) {
    case Ending::itself:
      return "";
    case Ending::signal:
      return ", ended by " + signal_name(report.signal);
    case Ending::not_seen:
      return ", end not seen: as of shortly before";
  }
  return "";
}

// Not misuse: the process could not destroy them.
std::string alive_text(const Report& report) {
  std::string out = "Alive at its end: ";
  for (const Alive& some : report.alive) {
    if (&some != &report.alive.front()) out += ", ";
    out += std::to_string(some.count) + " " + text_of(some.kind).name + (some.count == 1 ? "" : "s");
  }
  return out + ".";
}

}  // namespace

std::string to_text(const Report& report) {
  std::string out = "uroce report: " + report.program + " (pid " + std::to_string(report.pid) + ")" +
                    ending_text(report) + ": ";
  const std::size_t n = report.findings.size();
  out += n == 0 ? "no findings\n" : std::to_string(n) + (n == 1 ? " finding\n" : " findings\n");
  for (const Finding& f : report.findings) {
    const char* between = f.misuse == Misuse::object_leaked ? " " : ": ";
    // Misuses whose text names the object itself.
    const bool whole = f.misuse == Misuse::request_failed || f.misuse == Misuse::request_refused ||
                       f.misuse == Misuse::message_dropped || f.misuse == Misuse::psn_mismatch ||
                       f.misuse == Misuse::waits_forever || f.misuse == Misuse::completion_unpolled ||
                       f.misuse == Misuse::destroy_waits || f.misuse == Misuse::system_library_loaded ||
                       f.misuse == Misuse::async_event_unread;
    out += "\n" + std::string(id_of(f.misuse)) + ": " + (whole ? "" : name_of(f) + between) + f.detail + "\n";
    out += "  call   " + std::string(f.call) + place_text(f.where.at) + "\n";
    out += "  count  " + std::to_string(f.count) + ", first at " + time_text(report, f.first_ns) + "\n";
    out += "  cure   " + cure_of(f) + "\n";
  }
  if (report.dropped != 0)
    out += "\nOccurrences of other findings that are not listed: " + std::to_string(report.dropped) + ".\n";
  for (const Injected& one : report.injected)
    out += "\nInjected: " + one.call + " failed with " + error_name(one.error) + ", " +
           std::to_string(one.count) + (one.count == 1 ? " time.\n" : " times.\n");
  if (!report.alive.empty()) out += "\n" + alive_text(report) + "\n";
  return out;
}

}  // namespace uroce::report
