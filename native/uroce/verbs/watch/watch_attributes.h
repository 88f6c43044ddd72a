// Attributes of an object at its creation, for the feed.
#pragma once

#include <string>

#include "uroce/report/ledger.h"

namespace uroce::verbs::watch {

// A JSON object; empty for kinds that have no attributes. The object lives.
std::string attributes_of(const report::Live& object);

}  // namespace uroce::verbs::watch
