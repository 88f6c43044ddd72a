// Attributes of an object at its creation, for the feed.
#pragma once

#include <cstdint>
#include <string>

#include "uroce/report/ledger.h"

namespace uroce::verbs::watch {

// A JSON object; empty for kinds that have no attributes. The object lives.
std::string attributes_of(const report::Live& object);
// The number of an object in the report; 0: none.
uint32_t number_of(const void* handle);

}  // namespace uroce::verbs::watch
