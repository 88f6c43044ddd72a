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
      `${gib} GiB / 4 MiB = ${gib * 256} requests, and ${gib * 256} / ${every} = ${completionsOf(gib * 256, every)} completions. With 1 GiB and every 16th that is 256 requests and 16 completions.`,
  }),
  numberCheck({
    id: 'freed',
    numbers: { depth: [64, 128, 256], every: [8, 16, 32] },
    text: ({ depth, every }) =>
      `A send queue of ${depth} is full. Every ${every}th request was signaled, and you poll the first completion. How many slots are free?`,
    answer: ({ every }) => every,
    unit: 'slots',
    tolerance: 0,
    worked: ({ every }) =>
      `The send queue completes in order, so the completion stands for the ${every} requests up to the signaled one. Their ${every} slots are free.`,
  }),
  choiceCheck({
    id: 'why-stuck',
    text: 'On a NIC, why is the slot of an unsignaled request still taken after its ACK has arrived?',
    options: [
      { id: 'poll', text: 'The library frees slots only when the program polls a later completion' },
      { id: 'ack', text: 'The server acknowledges only signaled requests' },
      { id: 'memory', text: 'The buffer is still registered' },
    ],
    answer: 'poll',
    worked:
      'A completion tells the library how far the NIC has got. Without one, the library must assume that the NIC still reads the slot.',
  }),
];
