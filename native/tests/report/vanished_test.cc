// Messages that get lost, and who says so: vanished.c.
#include "run_program.h"

namespace {

const char* const kProgram = VANISHED_PROGRAM " ";

// What a peer was sent is counted for the agent by the address handle, which other operations do not have.
TEST(Vanished, AnOperationThatDatagramsLackEndsInItsCompletionWithAnAgentToo) {
  FeedListener agent;
  const Outcome outcome = run_program(std::string(kProgram) + "ud-opcode", "json", agent.environment());
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(has(agent.said(), "\"wc\"") || has(agent.said(), "LOC_QP_OP_ERR")) << agent.said();
}

}  // namespace
