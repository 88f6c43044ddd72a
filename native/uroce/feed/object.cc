#include "uroce/feed/object.h"

#include <cinttypes>
#include <cstdio>

namespace uroce::feed {

Object& Object::hex(std::string_view name, uint64_t value) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "\"0x%" PRIx64 "\"", value);
  return raw(name, digits);
}

Object& Object::flags(std::string_view name, uint64_t bits,
                      std::initializer_list<std::pair<uint64_t, const char*>> names) {
  std::string list = "[";
  for (const auto& [bit, word] : names) {
    if ((bits & bit) == 0) continue;
    if (list.size() > 1) list += ",";
    list += json_quoted(word);
  }
  return raw(name, list + "]");
}

}  // namespace uroce::feed
