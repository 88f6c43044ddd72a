import { TIDY_POINTS } from '../common-points.js';
import { atMessage, completionFault, lengthFault } from '../message-points.js';
import { fault, firstFault, type Fault, type Point } from '../point.js';
import type { RunRecording } from '../record.js';

const KIND = 'RDMA WRITE';
const LENGTH = 64;

/**
 * Checks the objects of one kind: all that were created must be gone, at the first attempt. `call`: the one that
 * destroys them.
 */
function leftFault(
  { objects, failedCalls }: RunRecording,
  kind: string,
  wanted: number,
  call: string,
): Fault | null {
  const of = (phase: 'made' | 'gone'): number =>
    objects.filter((one) => one.object === kind && one.phase === phase).length;
  const [made, gone] = [of('made'), of('gone')];
  if (made < wanted) return fault(`The program created ${made} of ${wanted}.`);
  const refused = failedCalls.find((one) => one.call === call)?.error;
  if (refused) return fault(`${refused.message} ${gone} of ${made} destroyed.`);
  return gone === made ? null : fault(`${gone} of ${made} destroyed.`);
}

/** The device refuses to destroy them before all that was created from them. */
function parentsFault(recording: RunRecording): Fault | null {
  return firstFault(
    leftFault(recording, 'PD', 1, 'ibv_dealloc_pd'),
    leftFault(recording, 'context', 1, 'ibv_close_device'),
  );
}

export const CLEAN_UP_POINTS: readonly Point[] = [
  {
    id: 'write',
    text: `One RDMA WRITE of ${LENGTH} bytes, completed`,
    look: atMessage(KIND, (message, recording) =>
      firstFault(lengthFault(message, LENGTH), completionFault(recording, message.from, 'RDMA_WRITE')),
    ),
  },
  {
    id: 'qps',
    text: 'Both QPs were destroyed',
    look: (recording) => leftFault(recording, 'QP', 2, 'ibv_destroy_qp'),
  },
  {
    id: 'cqs',
    text: 'Both CQs were destroyed',
    look: (recording) => leftFault(recording, 'CQ', 2, 'ibv_destroy_cq'),
  },
  {
    id: 'regions',
    text: 'Both regions were deregistered',
    look: (recording) => leftFault(recording, 'MR', 2, 'ibv_dereg_mr'),
  },
  { id: 'parents', text: 'The PD was deallocated and the device closed', look: parentsFault },
  ...TIDY_POINTS,
];
