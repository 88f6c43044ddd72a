import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const CHECKPOINT_STAGING_QUESTIONS = [
  numberCheck({
    id: 'stall',
    numbers: { gib: [8, 16, 40], rate: [10, 20, 40], steps: [100, 200] },
    text: ({ gib, rate, steps }) =>
      `Each host writes a checkpoint of ${gib} GB at ${rate} GB/s every ${steps} steps, and training waits. How many ms per step on average?`,
    answer: ({ gib, rate, steps }) => ((gib / rate) * 1000) / steps,
    unit: 'ms',
    worked: ({ gib, rate, steps }) =>
      `${gib} GB / ${rate} GB/s = ${(gib / rate).toFixed(2)} s. Divided by ${steps} steps: ${(((gib / rate) * 1000) / steps).toFixed(2)} ms.`,
  }),
  choiceCheck({
    id: 'ack',
    text: 'The WRITE of the record has completed at the trainer. Then the staging host loses power. What is certain?',
    options: [
      { id: 'nothing', text: 'Nothing' },
      { id: 'record', text: 'The record is safe' },
      { id: 'all', text: 'Everything is safe' },
    ],
    answer: 'nothing',
    worked: 'The bytes may still be in the device, in a cache or in DRAM.',
  }),
];
