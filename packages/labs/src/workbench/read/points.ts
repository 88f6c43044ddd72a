import { connectionPoint, TIDY_POINTS } from '../common-points.js';
import {
  atMessage,
  bytesFault,
  completionFault,
  lengthFault,
  offsetFault,
  regionOf,
  rightsFault,
} from '../message-points.js';
import { fault, type Point } from '../point.js';

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
  {
    id: 'place',
    text: `It begins at offset ${OFFSET} of the server’s region`,
    look: atMessage(KIND, (message, recording) => offsetFault(recording, message, OFFSET)),
  },
  {
    id: 'bytes',
    text: `The answer has the region’s bytes: byte i is i modulo ${MODULUS}`,
    look: atMessage(KIND, ({ payload }) => bytesFault(payload, BYTES)),
  },
  {
    id: 'rights',
    text: 'Of the remote rights, the server’s region allows REMOTE_READ alone',
    look: atMessage(KIND, (message, recording) => {
      const region = regionOf(recording, message);
      return region
        ? rightsFault(region, 'REMOTE_READ')
        : fault('Its address is in no region of this program.');
    }),
  },
  {
    id: 'completion',
    text: 'The client polled a successful completion of the READ',
    look: atMessage(KIND, ({ from }, recording) => completionFault(recording, from, 'RDMA_READ')),
  },
  ...TIDY_POINTS,
];
