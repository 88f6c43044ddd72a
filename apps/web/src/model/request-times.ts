import type { RunEventOf } from '@verbslab/protocol';

export interface RequestTimes {
  /**
   * From the post to the CQE, ns: this device, the link and the other device, with their waits for a CPU. Null before
   * there is a CQE.
   */
  device: number | null;
  /** From the CQE to the poll that returned it, ns: only the program. Null if it was never polled. */
  program: number | null;
}

/** Shares of the device and of the program in the duration of a work request. */
export function requestTimes({ posted, cqe, polled }: RunEventOf<'wr'>): RequestTimes {
  return {
    device: cqe === null ? null : cqe - posted,
    program: cqe === null || polled === null ? null : polled - cqe,
  };
}
