#include "uroce/verbs/watch/request_text.h"

#include "uroce/verbs/abi/names.h"

namespace uroce::verbs::watch {

const char* opcode_name(WrOpcode opcode) { return wr_opcode_name(static_cast<uint32_t>(opcode)); }

std::string text_of(WrOpcode opcode, uint32_t length, uint64_t addr, uint32_t rkey) {
  const std::string what = format("%s of %" PRIu32 " bytes", opcode_name(opcode), length);
  const bool write = opcode <= WrOpcode::rdma_write_with_imm;
  const bool remote = write || (opcode >= WrOpcode::rdma_read && opcode <= WrOpcode::atomic_fetch_and_add);
  if (!remote) return what;
  const char* way = write ? "to" : opcode == WrOpcode::rdma_read ? "from" : "at";
  return what + format(" %s 0x%" PRIx64 " with rkey 0x%08" PRIx32, way, addr, rkey);
}

}  // namespace uroce::verbs::watch
