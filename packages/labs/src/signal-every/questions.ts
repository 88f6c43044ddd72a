import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { completionsOf } from './count.js';

export const SIGNAL_EVERY_SELF_CHECKS = [
  numberCheck({
    id: 'completions',
    numbers: { gib: [1, 2, 4], every: [8, 16, 32] },
    text: ({ gib, every }) =>
      `You write ${gib} GiB in chunks of 4 MiB and signal every ${every}th request. How many completions do you poll?`,
    answer: ({ gib, every }) => completionsOf(gib * 256, every),
    unit: 'completions',
    tolerance: 0,
    worked: ({ gib, every }) =>
      `${gib} GiB / 4 MiB = ${gib * 256} requests, and ${gib * 256} / ${every} = ${completionsOf(gib * 256, every)} completions.`,
  }),
  choiceCheck({
    id: 'why-stuck',
    text: 'On a NIC, why is the slot of an unsignaled request still taken after its ACK?',
    options: [
      { id: 'poll', text: 'The library frees slots only at a completion' },
      { id: 'ack', text: 'The server acknowledges only signaled requests' },
      { id: 'memory', text: 'The buffer is still registered' },
    ],
    answer: 'poll',
    worked: 'Without one, the library must assume that the NIC still reads the slot.',
  }),
];
