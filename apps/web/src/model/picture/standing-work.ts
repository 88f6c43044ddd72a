import type { StillAnswer } from '@verbslab/report/standstill';
import type { Work } from '../machine/work';

type Waits = Pick<StillAnswer, 'endpoint' | 'request' | 'qpn'>;

/**
 * The request that a program waits for, from the record of the standstill: the device records the times of a request
 * when it is over. Null if no request waits, or the time of its post is not recorded.
 */
export function standingWork({ endpoint, request, qpn }: Waits): Work | null {
  if (request === null || qpn === null || request.posted === null) return null;
  return {
    // No event of the run has this number.
    seq: -1,
    ...{ endpoint, qpn, queue: 'SQ', wrId: Number(request.wrId), opcode: request.opcode },
    ...{ bytes: request.length, lkey: null, rkey: null, localAddr: null, remoteAddr: null },
    // Its completion is not there, and nothing else would tell.
    ...{ signaled: false, posted: request.posted, done: null, cqe: null, polled: null, status: null },
    life: null,
    psn: request.psn,
  };
}
