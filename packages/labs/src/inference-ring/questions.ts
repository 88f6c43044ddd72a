import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const INFERENCE_RING_QUESTIONS = [
  numberCheck({
    id: 'rate',
    numbers: { fixed: [20, 40, 60], each: [1, 2, 4], batch: [8, 16, 32] },
    text: ({ fixed, each, batch }) =>
      `A batch costs ${fixed} µs and ${each} µs per request. How many thousand requests per second do batches of ${batch} reach, one batch at a time?`,
    answer: ({ fixed, each, batch }) => (batch / (fixed + batch * each)) * 1000,
    unit: 'thousand/s',
    worked: ({ fixed, each, batch }) =>
      `${fixed} + ${batch} × ${each} = ${fixed + batch * each} µs per batch. ${batch} / ${fixed + batch * each} µs = ${((batch / (fixed + batch * each)) * 1000).toFixed(1)} thousand/s.`,
  }),
  numberCheck({
    id: 'overwritten',
    numbers: { slots: [16, 32, 64], late: [5, 9, 12] },
    text: ({ slots, late }) =>
      `A ring has ${slots} slots, and the server has read none of them. A client without credits has written ${slots + late} requests. How many are lost?`,
    answer: ({ late }) => late,
    unit: 'requests',
    tolerance: 0,
    worked: ({ slots, late }) =>
      `Requests ${slots + 1} to ${slots + late} went into the slots of requests 1 to ${late}, which the server has not read.`,
  }),
  choiceCheck({
    id: 'credit',
    text: 'When may the client use a slot again?',
    options: [
      { id: 'completion', text: 'When its own WRITE into the slot has completed' },
      { id: 'result', text: 'When the server has said that it has read the slot' },
      { id: 'notice', text: 'When the notification of the batch has completed' },
    ],
    answer: 'result',
    worked:
      'Completions at the client say that the server’s device has acknowledged the data. Only the server knows when it no longer needs it. Here the results say so.',
  }),
];
