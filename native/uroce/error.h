// Why something could not be set up: an errno for the program, a sentence and the cure for the user.
#pragma once

#include <string>

namespace uroce {

struct Error {
  int code = 0;  // an errno
  std::string text;
  std::string cure = {};  // empty where `text` says it, or none is known
};

}  // namespace uroce
