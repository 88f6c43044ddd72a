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
  {
    id: 'place',
    text: `It begins at offset ${OFFSET} of the server’s region`,
    look: atMessage(KIND, (message, recording) => offsetFault(recording, message, OFFSET)),
  },
  {
    id: 'bytes',
    text: 'Byte i of it has the value i',
    look: atMessage(KIND, ({ payload }) => bytesFault(payload, BYTES)),
  },
  {
    id: 'rights',
    text: 'Of the remote rights, the server’s region allows REMOTE_WRITE alone',
    look: atMessage(KIND, (message, recording) => {
      const region = regionOf(recording, message);
      return region
        ? rightsFault(region, 'REMOTE_WRITE')
        : fault('Its address is in no region of this program.');
    }),
  },
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
