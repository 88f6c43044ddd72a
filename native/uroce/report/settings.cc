#include "uroce/report/settings.h"

namespace uroce::report {

std::optional<Settings> parse_settings(std::string_view value, int pid) {
  const std::size_t colon = value.find(':');
  const std::string_view format = value.substr(0, colon);
  Settings settings;
  if (format == "json") {
    settings.format = Format::json;
  } else if (format != "text") {
    return std::nullopt;
  }
  if (colon == std::string_view::npos) return settings;
  settings.path = value.substr(colon + 1);
  if (settings.path.empty()) return std::nullopt;
  const std::string number = std::to_string(pid);
  for (std::size_t at = 0; (at = settings.path.find("%p", at)) != std::string::npos; at += number.size())
    settings.path.replace(at, 2, number);
  return settings;
}

}  // namespace uroce::report
