// Settings of the fault injector as another process sends them: what is taken fits its structures and comes
// out again as it went in; the injector refuses impossible values, and nothing is read beyond the bytes.
#include <algorithm>
#include <memory>
#include <span>

#include "harness.h"
#include "uroce/ext/faults_bytes.h"
#include "uroce/net/tap/fault_port.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace uroce;
  // A block of its own size, so that a read beyond it is found.
  const auto bytes = std::make_unique<uint8_t[]>(size);
  std::copy_n(data, size, bytes.get());
  ext::Faults faults;
  if (ext::read_faults({bytes.get(), size}, &faults) != 0) return 0;
  FUZZ_CHECK(faults.rules.size() <= UROCE_FAULT_RULES_MAX);
  ext::Faults again;
  const std::vector<uint8_t> written = ext::faults_bytes(faults);
  FUZZ_CHECK(ext::read_faults(written, &again) == 0);
  FUZZ_CHECK(ext::faults_bytes(again) == written);
  net::FaultPort::validate(faults.rates ? &*faults.rates : nullptr, faults.rules.data(),
                           static_cast<uint32_t>(faults.rules.size()),
                           faults.shaping ? &*faults.shaping : nullptr);
  return 0;
}
