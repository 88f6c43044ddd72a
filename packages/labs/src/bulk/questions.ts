/** Prediction of the lab, and what a run shows of it. */
import type { Prediction } from '@verbslab/protocol';
import { verdictOf } from './answer.js';
import type { Findings } from './findings.js';
import type { BulkTransport } from './plan.js';

const TRANSPORTS = ['shm', 'rdma', 'tcp'] as const;

export const BULK_PREDICTIONS: readonly Prediction[] = [
  {
    kind: 'choice',
    id: 'cheapest',
    text: 'Which takes the least CPU time per GB?',
    options: [
      { id: 'shm', text: 'RDMA that bypasses the kernel' },
      { id: 'rdma', text: 'RDMA through the kernel' },
      { id: 'tcp', text: 'TCP' },
    ],
    unanswered: 'no clear difference, or not measured',
  },
];

/** The transport that clearly took less CPU time than each of the two others; null for none. */
export function cheapest(findings: Findings): BulkTransport | null {
  const found = TRANSPORTS.find((one) =>
    TRANSPORTS.every((other) => {
      const [own, beside] = [findings[one], findings[other]];
      return one === other || (own && beside && verdictOf('cpuSecondsPerGB', own, beside) === 'lower');
    }),
  );
  return found ?? null;
}
