/** Every case of the clinic, in the order of the tour. */
import type { FailureCase } from '../case.js';
import { cqOverrun } from './cq-overrun.js';
import { foreignRkey } from './foreign-rkey.js';
import { fullQueue } from './full-queue.js';
import { LAMBDA_CASES } from './lambdas.js';
import { lateRecv } from './late-recv.js';
import { memoryLimit } from './memory-limit.js';
import { missingRecv } from './missing-recv.js';
import { missingRight } from './missing-right.js';
import { mtuMismatch } from './mtu-mismatch.js';
import { neverPolled } from './never-polled.js';
import { neverSignaled } from './never-signaled.js';
import { overwritten } from './overwritten.js';
import { peerGone } from './peer-gone.js';
import { psnMismatch } from './psn-mismatch.js';
import { rangeOverrun } from './range-overrun.js';
import { rdAtomicZero } from './rd-atomic-zero.js';
import { recvNever } from './recv-never.js';
import { remapped } from './remapped.js';
import { rnrTimerZero } from './rnr-timer-zero.js';
import { timeoutZero } from './timeout-zero.js';
import { tooManySges } from './too-many-sges.js';
import { unregisteredMemory } from './unregistered-memory.js';
import { wrongGidIndex } from './wrong-gid-index.js';
import { wrongQkey } from './wrong-qkey.js';
import { wrongRkey } from './wrong-rkey.js';
import { wrongSge } from './wrong-sge.js';
import { wrongState } from './wrong-state.js';

export const CASES = [
  unregisteredMemory,
  wrongSge,
  wrongRkey,
  foreignRkey,
  rangeOverrun,
  missingRight,
  tooManySges,
  wrongState,
  fullQueue,
  neverSignaled,
  neverPolled,
  cqOverrun,
  missingRecv,
  recvNever,
  lateRecv,
  rnrTimerZero,
  timeoutZero,
  rdAtomicZero,
  wrongGidIndex,
  wrongQkey,
  mtuMismatch,
  psnMismatch,
  peerGone,
  overwritten,
  remapped,
  memoryLimit,
  ...LAMBDA_CASES,
] as const satisfies readonly FailureCase[];
