// modify_qp: the attributes that each transition requires and allows, as in the kernel (ib_modify_qp_is_ok
// in drivers/infiniband/core/verbs.c), and their ranges.
#pragma once

#include <cstdint>

#include "uroce/types.h"

namespace uroce::transport {

struct EngineConfig;
class Engine;
class Qp;

// True if the kernel's table allows this transition with this mask.
bool modify_mask_ok(QpType type, QpState from, QpState to, uint32_t mask);

// Checks the mask like modify_mask_ok(): 0, or EINVAL with its cause (uroce/refusal.h).
int refused_mask(QpType type, QpState from, QpState to, uint32_t mask);

class QpStateMachine {
 public:
  // 0 or EINVAL; nothing is changed on failure.
  static int modify(Engine& engine, Qp& qp, const QpAttr& attr, uint32_t mask, uint64_t now);

 private:
  static int refused_value(const EngineConfig& config, const QpAttr& attr, uint32_t mask);
  static void apply(Qp& qp, const QpAttr& attr, uint32_t mask);
  static void enter(Engine& engine, Qp& qp, QpState from, QpState to, uint64_t now);
};

}  // namespace uroce::transport
