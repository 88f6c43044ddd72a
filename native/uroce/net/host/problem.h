// Why something could not be set up: an errno for the program, a sentence for the user.
#pragma once

#include <string>

namespace uroce::net {

struct Problem {
  int error = 0;
  std::string text;
};

}  // namespace uroce::net
