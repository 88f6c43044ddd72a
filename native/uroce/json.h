// Strings of JSON.
#pragma once

#include <cstdio>
#include <string>

namespace uroce {

// A JSON string. Names of programs and files are bytes: what is not ASCII is escaped as Latin-1, so the
// result is always JSON.
inline std::string json_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte > 0x7e) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace uroce
