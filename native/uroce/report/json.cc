// The report for programs. docs/report.md has its members.

#include "uroce/json.h"

#include <cinttypes>
#include <cstdio>

#include "uroce/report/finding.h"
#include "uroce/report/name.h"
#include "uroce/report/place.h"

namespace uroce::report {
namespace {

std::string offset_json(const Place& place) {
  char offset[32];
  std::snprintf(offset, sizeof offset, "\"0x%" PRIxPTR "\"", place.offset);
  return offset;
}

}  // namespace

std::string place_json(const Caller& where) {
  const Place place = place_of(where.at);
  if (place.object.empty()) return "null";
  const Place outer = place_of(where.outer);
  return "{\"function\":" + (place.function.empty() ? "null" : json_quoted(place.function)) +
         ",\"object\":" + json_quoted(place.object) + ",\"offset\":" + offset_json(place) +
         (outer.object == place.object ? ",\"outer\":" + offset_json(outer) : "") + "}";
}

namespace {

std::string hex_json(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "\"0x%" PRIx64 "\"", value);
  return text;
}

std::string request_json(const Request& r) {
  std::string out = "{\"qpn\":" + std::to_string(r.qpn) + ",\"opcode\":" + json_quoted(r.opcode) +
                    ",\"length\":" + std::to_string(r.length);
  if (r.peer_qpn != 0) out += ",\"peerQpn\":" + std::to_string(r.peer_qpn);
  // 64 bits: a JSON number cannot hold them.
  if (r.wr_id) out += ",\"wrId\":\"" + std::to_string(*r.wr_id) + "\"";
  if (r.status != nullptr) out += ",\"status\":" + json_quoted(r.status);
  if (r.rkey != 0)
    out += ",\"remoteAddr\":" + hex_json(r.remote_addr) + ",\"rkey\":" + std::to_string(r.rkey);
  if (r.psn) out += ",\"psn\":" + std::to_string(*r.psn);
  return out + "}";
}

std::string completions_json(const Completions& polled) {
  return ",\"completions\":{\"successful\":" + std::to_string(polled.successful) +
         ",\"failed\":" + std::to_string(polled.failed) + ",\"flushed\":" + std::to_string(polled.flushed) +
         "}";
}

std::string injected_json(const std::vector<Injected>& all) {
  if (all.empty()) return "";
  std::string out = ",\"injected\":[";
  for (const Injected& one : all) {
    if (&one != &all.front()) out += ",";
    out += "{\"call\":" + json_quoted(one.call) + ",\"error\":" + json_quoted(error_name(one.error)) +
           ",\"count\":" + std::to_string(one.count) + "}";
  }
  return out + "]";
}

std::string ending_json(const Report& report) {
  if (report.ending == Ending::itself) return "";
  std::string out = ",\"endedBy\":";
  out += report.ending == Ending::signal ? json_quoted(signal_name(report.signal)) : "null";
  out += ",\"alive\":[";
  for (const Alive& some : report.alive) {
    if (&some != &report.alive.front()) out += ",";
    out += "{\"kind\":" + json_quoted(text_of(some.kind).name) + ",\"count\":" + std::to_string(some.count) +
           "}";
  }
  return out + "]";
}

}  // namespace

std::string to_json(const Report& report) {
  std::string out = "{\"schema\":\"uroce-report/1\",\"program\":" + json_quoted(report.program) +
                    ",\"pid\":" + std::to_string(report.pid) +
                    ",\"beganMs\":" + std::to_string(report.began_wall_ns / 1'000'000) +
                    ",\"durationMs\":" + std::to_string((report.ended_ns - report.began_ns) / 1'000'000) +
                    ",\"dropped\":" + std::to_string(report.dropped) + completions_json(report.completions) +
                    injected_json(report.injected) + ending_json(report) + ",\"findings\":[";
  for (const Finding& f : report.findings) {
    if (out.back() == '}') out += ",";
    out += "{\"id\":" + json_quoted(id_of(f.misuse)) + ",\"call\":" + json_quoted(f.call) +
           ",\"object\":{\"kind\":" + json_quoted(text_of(f.kind).name) +
           ",\"number\":" + (f.number == 0 ? "null" : std::to_string(f.number)) +
           ",\"name\":" + json_quoted(name_of(f)) + "},\"count\":" + std::to_string(f.count) +
           ",\"firstMs\":" + std::to_string(wall_of(report, f.first_ns) / 1'000'000) +
           ",\"detail\":" + json_quoted(f.detail) + ",\"where\":" + place_json(f.where) +
           (f.request ? ",\"request\":" + request_json(*f.request) : "") +
           (*f.counter != '\0' ? ",\"counter\":" + json_quoted(f.counter) : "") +
           ",\"cure\":" + json_quoted(cure_of(f)) + "}";
  }
  return out + "]}\n";
}

}  // namespace uroce::report
