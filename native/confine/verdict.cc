#include "confine/verdict.h"

#include <cstdio>

namespace vlconfine {
namespace {

// Bytes that are no printable ASCII become question marks: a path may hold anything.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c >= ' ' && c <= '~' ? c : '?';
  }
  return out + "\"";
}

}  // namespace

std::string to_json(const Verdict& verdict, bool network) {
  std::string out = "{\"network\":" + std::string(network ? "true" : "false");
  if (!verdict.stopped.empty()) out += ",\"stopped\":" + quoted(verdict.stopped);
  if (!verdict.call.empty()) out += ",\"call\":" + quoted(verdict.call);
  if (!verdict.path.empty()) out += ",\"path\":" + quoted(verdict.path);
  if (verdict.limit != 0) out += ",\"limit\":" + std::to_string(verdict.limit);
  std::string tried;
  for (const auto& call : verdict.tried) tried += (tried.empty() ? "" : ",") + quoted(call);
  if (!tried.empty()) out += ",\"tried\":[" + tried + "]";
  return out + "}\n";
}

}  // namespace vlconfine
