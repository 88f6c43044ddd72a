// The failure that ends a loop: a failed call (errno), or a completion with a status other than success.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace vlbench {

class Failure : public std::exception {
 public:
  // `call` is the C function that failed, or a step of a loop ("loop idle"); `detail` its object.
  Failure(int err, std::string call, std::string detail = {})
      : error_number(err),
        call(std::move(call)),
        detail(std::move(detail)),
        what_(this->call + ": " + this->detail) {}

  static Failure completion(int status, uint32_t vendor, std::string opcode, std::string detail) {
    Failure failure(0, std::move(opcode), std::move(detail));
    failure.wc_status = status;
    failure.vendor_error = vendor;
    return failure;
  }

  const char* what() const noexcept override { return what_.c_str(); }

  int error_number;
  std::string call;
  std::string detail;
  int wc_status = 0;
  uint32_t vendor_error = 0;

 private:
  std::string what_;
};

}  // namespace vlbench
