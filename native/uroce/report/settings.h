// UROCE_REPORT: text|json, then optionally a colon and a file, in which %p becomes the process id.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace uroce::report {

enum class Format { text, json };

struct Settings {
  Format format = Format::text;
  std::string path;  // empty: stderr
};

// nullopt for anything else.
std::optional<Settings> parse_settings(std::string_view value, int pid);

}  // namespace uroce::report
