import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const CHECKPOINT_STAGING_QUESTIONS = [
  numberCheck({
    id: 'stall',
    numbers: { gib: [8, 16, 40], rate: [10, 20, 40], steps: [100, 200] },
    text: ({ gib, rate, steps }) =>
      `Each host writes a checkpoint of ${gib} GB at ${rate} GB/s every ${steps} steps, and training waits for it. How many ms per step is that on average?`,
    answer: ({ gib, rate, steps }) => ((gib / rate) * 1000) / steps,
    unit: 'ms',
    worked: ({ gib, rate, steps }) =>
      `${gib} GB / ${rate} GB/s = ${(gib / rate).toFixed(2)} s. Divided by ${steps} steps: ${(((gib / rate) * 1000) / steps).toFixed(2)} ms.`,
  }),
  numberCheck({
    id: 'torn',
    numbers: { shards: [4, 6, 8, 16] },
    text: ({ shards }) =>
      `The record is written first, then ${shards} shards, then the manifest. The trainer may die after each of these steps. After how many of them does the record name a torn checkpoint?`,
    answer: ({ shards }) => shards + 1,
    unit: 'steps',
    tolerance: 0,
    worked: ({ shards }) =>
      `After the record, and after each of the ${shards} shards: ${shards} + 1 = ${shards + 1}. Only after the manifest is everything there.`,
  }),
  choiceCheck({
    id: 'ack',
    text: 'The WRITE of the record has completed at the trainer. Then the staging host loses power. What is certain?',
    options: [
      { id: 'nothing', text: 'Nothing: an ACK does not say that the bytes are on persistent media' },
      { id: 'record', text: 'The record is safe, because it is one word' },
      { id: 'all', text: 'Everything is safe, because RC is reliable' },
    ],
    answer: 'nothing',
    worked:
      'The ACK says that the responder’s device has taken the message, and that later READs through this device see it. It may still be in the device, in a cache or in DRAM. A flush, or the staging host’s own program, has to make it persistent and say so.',
  }),
];
