import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { bytesIn } from '../fabric/link.js';

const queueKb = (hosts: number, window: number, rtt: number): number =>
  hosts * window - bytesIn(100, rtt) / 1000;

export const FABRIC_INCAST_QUESTIONS = [
  numberCheck({
    id: 'windows',
    numbers: { hosts: [8, 16, 24, 48], window: [64, 128, 256], rtt: [8, 12, 20] },
    text: ({ hosts, window, rtt }) =>
      `${hosts} hosts send to one over links of 100 Gb/s, each with a window of ${window} KB. The round trip is ${rtt} µs. How long is the queue, if the buffer holds it?`,
    answer: ({ hosts, window, rtt }) => queueKb(hosts, window, rtt),
    unit: 'KB',
    worked: ({ hosts, window, rtt }) =>
      `All windows are ${hosts} × ${window} = ${hosts * window} KB. The links hold 100 Gb/s × ${rtt} µs = ${bytesIn(100, rtt) / 1000} KB of them, and the queue the rest: ${queueKb(hosts, window, rtt)} KB.`,
  }),
  choiceCheck({
    id: 'first',
    text: 'Why does DCQCN hardly shorten the first peak of the queue?',
    options: [
      { id: 'late', text: 'Most of the windows is sent before enough CNPs have come' },
      { id: 'marks', text: 'The switch does not mark packets of a new connection' },
      { id: 'pause', text: 'PAUSE frames hold up the CNPs' },
    ],
    answer: 'late',
    worked: 'Each CNP halves a rate, and 32 senders need five. A window of 256 KiB is sent within 21 µs.',
  }),
];
