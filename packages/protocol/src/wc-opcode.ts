// No schemas here, as in run-state.ts: the list of completions needs only the names.

/** Names of `enum ibv_wc_opcode`. The numbers differ from those of work requests. */
export const WC_OPCODES = {
  0: 'SEND',
  1: 'RDMA_WRITE',
  2: 'RDMA_READ',
  3: 'COMP_SWAP',
  4: 'FETCH_ADD',
  5: 'BIND_MW',
  6: 'LOCAL_INV',
  128: 'RECV',
  129: 'RECV_RDMA_WITH_IMM',
} as const;

export function wcOpcodeName(opcode: number): string {
  return (WC_OPCODES as Record<number, string>)[opcode] ?? `OPCODE_${opcode}`;
}
