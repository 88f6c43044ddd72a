#pragma once

#include <string>

namespace uroce::report {

// A JSON string. Names of programs and files are bytes: what is not ASCII is escaped as Latin-1, so the
// result is always JSON.
std::string quoted(const std::string& text);

}  // namespace uroce::report
