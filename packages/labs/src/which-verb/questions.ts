import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { packetsOf } from '../wire/segments.js';

/** The value or result is ready; the target fetches it. */
const pulled = (kib: number, mtu: number): number => 2 + 1 + packetsOf(kib * 1024, mtu) + 2;

export const WHICH_VERB_QUESTIONS = [
  numberCheck({
    id: 'pull-packets',
    numbers: { kib: [16, 32, 64, 256], mtu: [1024, 2048, 4096] },
    text: ({ kib, mtu }) =>
      `The sender announces ${kib} KiB with an empty SEND, the target READs them at a path MTU of ${mtu} B, and reports that with another empty SEND. Each SEND gets one ACK. How many packets are that?`,
    answer: ({ kib, mtu }) => pulled(kib, mtu),
    unit: 'packets',
    tolerance: 0,
    worked: ({ kib, mtu }) =>
      `Two SENDs with an ACK each are 4 packets. The READ request is 1, and its responses are ${kib} KiB / ${mtu} B = ${packetsOf(kib * 1024, mtu)}: ${pulled(kib, mtu)} in total. The responses are the acknowledgment of the READ.`,
  }),
  numberCheck({
    id: 'server-requests',
    numbers: { readers: [10, 20, 50, 100], changes: [2, 5], reads: [20, 40, 100] },
    text: ({ readers, changes, reads }) =>
      `${readers} readers look at one value ${reads} times per second each. It changes ${changes} times per second. The server pushes each change to every reader by WRITE. How many requests per second does it post, and not the readers?`,
    answer: ({ readers, changes }) => readers * changes,
    unit: 'requests',
    tolerance: 0,
    worked: ({ readers, changes, reads }) =>
      `${readers} × ${changes} = ${readers * changes}. If the readers READ instead, they post ${readers} × ${reads} = ${readers * reads} per second in total, and the server’s program posts none.`,
  }),
  choiceCheck({
    id: 'sleeping-target',
    text: 'A 1 MiB block must go into memory whose address the sender knows. The target sleeps and must wake when all of it is there. Which verb does that with one request?',
    options: [
      { id: 'write', text: 'WRITE' },
      { id: 'imm', text: 'WRITE_WITH_IMM' },
      { id: 'read', text: 'READ' },
      { id: 'atomic', text: 'FETCH_ADD' },
    ],
    answer: 'imm',
    worked:
      'WRITE_WITH_IMM puts the data at the address and completes a RECV of the target. A WRITE makes no completion there, so nothing wakes the target.',
  }),
];
