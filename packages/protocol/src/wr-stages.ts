/** Stages of a work request, in order: members of the `wr` event, and their names. */
export const WR_STAGES = [
  ['posted', 'posted'],
  ['firstTx', 'first packet'],
  ['lastTx', 'last packet'],
  ['acked', 'acknowledged'],
  ['cqe', 'CQE'],
  ['polled', 'polled'],
] as const;
