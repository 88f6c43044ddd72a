import { connectionPoint, TIDY_POINTS } from '../common-points.js';
import { atMessage, bytesFault, completionFault, lateReceiveFault, lengthFault } from '../message-points.js';
import { fault, firstFault, type Fault, type Point } from '../point.js';
import type { RunRecording } from '../record.js';

const TEXT = 'Hello, RDMA';
const BYTES = Uint8Array.from(TEXT, (letter) => letter.charCodeAt(0));

function noRemoteRights({ regions }: RunRecording): Fault | null {
  if (regions.length === 0) return fault('The program registered no memory.');
  const open = regions.find(({ access }) => access.some((one) => one.startsWith('REMOTE_')));
  if (!open) return null;
  const rights = open.access.filter((one) => one.startsWith('REMOTE_'));
  return fault(`A region of ${open.length} bytes allows ${rights.join(', ')}. A SEND needs no remote right.`);
}

export const SEND_POINTS: readonly Point[] = [
  connectionPoint,
  { id: 'rights', text: 'No region allows remote access', look: noRemoteRights },
  {
    id: 'send',
    text: `One SEND of ${BYTES.length} bytes`,
    look: atMessage('SEND', (message) => lengthFault(message, BYTES.length)),
  },
  {
    id: 'bytes',
    text: `It brings “${TEXT}”`,
    look: atMessage('SEND', ({ payload }) => bytesFault(payload, BYTES)),
  },
  {
    id: 'receive',
    text: 'A receive was posted before the message came',
    look: atMessage('SEND', lateReceiveFault),
  },
  {
    id: 'completions',
    text: 'Both ends polled a successful completion',
    look: atMessage('SEND', ({ from, to }, recording) =>
      firstFault(completionFault(recording, from, 'SEND'), completionFault(recording, to, 'RECV')),
    ),
  },
  ...TIDY_POINTS,
];
