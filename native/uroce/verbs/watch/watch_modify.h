// Why ibv_modify_qp refused a step, in a sentence for the feed.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <string>

namespace uroce::verbs {

struct QpObject;

namespace watch {

// Which attributes are missing or too many; empty if the mask is not what is wrong.
std::string why_not_modified(QpObject* qp, const ibv_qp_attr& attr, uint32_t mask);

}  // namespace watch
}  // namespace uroce::verbs
