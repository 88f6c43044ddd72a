import { connectionPoint, TIDY_POINTS } from '../common-points.js';
import { atMessage, completionFault, lateReceiveFault, lengthFault } from '../message-points.js';
import { hex } from '../number-text.js';
import { fault, firstFault, type Fault, type Point } from '../point.js';
import type { RunRecording } from '../record.js';

const KIND = 'SEND with immediate';
const VALUE = 0x0102_0304;
const REVERSED = 0x0403_0201;

function valueFault(found: number | null): Fault | null {
  if (found === VALUE) return null;
  if (found === null) return fault('It has no immediate.');
  const order =
    found === REVERSED ? ' The bytes are reversed: convert it to network byte order (htonl in C).' : '';
  return fault(`The immediate is ${hex(found, 8)}, not ${hex(VALUE, 8)}.${order}`);
}

function receivedValue(recording: RunRecording, to: number): Fault | null {
  const received = recording.completions.find(({ qpn, opcode }) => qpn === to && opcode === 'RECV');
  return received ? valueFault(received.imm) : completionFault(recording, to, 'RECV');
}

function noMemory({ opened, regions }: RunRecording): Fault | null {
  if (!opened) return fault('The program did not open the device.');
  const [first] = regions;
  return first
    ? fault(`A region of ${first.length} bytes was registered. An immediate needs no memory.`)
    : null;
}

export const IMMEDIATE_POINTS: readonly Point[] = [
  connectionPoint,
  {
    id: 'send',
    text: 'One SEND with immediate, of 0 bytes',
    look: atMessage(KIND, (message) => lengthFault(message, 0)),
  },
  {
    id: 'value',
    text: `Its immediate is ${hex(VALUE, 8)}`,
    look: atMessage(KIND, ({ imm }) => valueFault(imm)),
  },
  {
    id: 'receive',
    text: 'A receive was posted before the message came',
    look: atMessage(KIND, lateReceiveFault),
  },
  {
    id: 'completions',
    text: 'Both ends polled a successful completion, and the receiver’s carries the value',
    look: atMessage(KIND, ({ from, to }, recording) =>
      firstFault(completionFault(recording, from, 'SEND'), receivedValue(recording, to)),
    ),
  },
  { id: 'memory', text: 'No memory was registered', look: noMemory },
  ...TIDY_POINTS,
];
