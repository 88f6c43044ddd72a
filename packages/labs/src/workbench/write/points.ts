import { connectionPoint, TIDY_POINTS } from '../common-points.js';
import { atMessage, bytesFault, completionFault, lengthFault } from '../message-points.js';
import { placePoint, rightsPoint } from '../one-sided-points.js';
import { fault, type Point } from '../point.js';

const KIND = 'RDMA WRITE';
const LENGTH = 256;
const OFFSET = 1024;
const BYTES = Uint8Array.from({ length: LENGTH }, (_, i) => i);

export const WRITE_POINTS: readonly Point[] = [
  connectionPoint,
  {
    id: 'write',
    text: `One RDMA WRITE of ${LENGTH} bytes`,
    look: atMessage(KIND, (message) => lengthFault(message, LENGTH)),
  },
  placePoint(KIND, OFFSET),
  {
    id: 'bytes',
    text: 'Byte i of it has the value i',
    look: atMessage(KIND, ({ payload }) => bytesFault(payload, BYTES)),
  },
  rightsPoint(KIND, 'REMOTE_WRITE'),
  {
    id: 'completion',
    text: 'The client polled a successful completion of the WRITE',
    look: atMessage(KIND, ({ from }, recording) => completionFault(recording, from, 'RDMA_WRITE')),
  },
  {
    id: 'passive',
    text: 'The server got no completion',
    look: atMessage(KIND, ({ to }, { completions }) => {
      const own = completions.find(({ qpn }) => qpn === to);
      return own
        ? fault(`The server polled a completion: ${own.opcode || own.status}. A WRITE needs none.`)
        : null;
    }),
  },
  ...TIDY_POINTS,
];
