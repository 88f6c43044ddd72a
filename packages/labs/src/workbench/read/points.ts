import { connectionPoint, TIDY_POINTS } from '../common-points.js';
import { atMessage, bytesFault, completionFault, lengthFault } from '../message-points.js';
import { placePoint, rightsPoint } from '../one-sided-points.js';
import type { Point } from '../point.js';

const KIND = 'RDMA READ';
const LENGTH = 512;
const OFFSET = 2048;
const MODULUS = 251;
const BYTES = Uint8Array.from({ length: LENGTH }, (_, i) => (OFFSET + i) % MODULUS);

export const READ_POINTS: readonly Point[] = [
  connectionPoint,
  {
    id: 'read',
    text: `One RDMA READ of ${LENGTH} bytes`,
    look: atMessage(KIND, (message) => lengthFault(message, LENGTH)),
  },
  placePoint(KIND, OFFSET),
  {
    id: 'bytes',
    text: `The answer has the region’s bytes: byte i is i modulo ${MODULUS}`,
    look: atMessage(KIND, ({ payload }) => bytesFault(payload, BYTES)),
  },
  rightsPoint(KIND, 'REMOTE_READ'),
  {
    id: 'completion',
    text: 'The client polled a successful completion of the READ',
    look: atMessage(KIND, ({ from }, recording) => completionFault(recording, from, 'RDMA_READ')),
  },
  ...TIDY_POINTS,
];
