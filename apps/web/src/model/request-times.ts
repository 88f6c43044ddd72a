import type { RunEventOf } from '@verbslab/protocol';

export interface RequestTimes {
  /** From posting to the CQE: this device, the link and the other device, with their waits for a CPU; ns. Null before there is a CQE. */
  device: number | null;
  /** From the CQE to the poll that returned it: the program alone, ns. Null if it was never polled. */
  program: number | null;
}

/** Who took the time that a work request took. */
export function requestTimes({ posted, cqe, polled }: RunEventOf<'wr'>): RequestTimes {
  return {
    device: cqe === null ? null : cqe - posted,
    program: cqe === null || polled === null ? null : polled - cqe,
  };
}
