import type { Transport } from '@verbslab/protocol';
import type { CostKey, CpuKey } from '@verbslab/report/charts';

export interface TransportColour {
  line: string;
  ink: string;
  dash: string | undefined;
}

/** Fixed meanings; the values are in styles/tokens.css. Lines differ in dash too, so colour is not the only sign. */
export const TRANSPORT_COLOUR: Record<Transport, TransportColour> = {
  rdma: { line: 'var(--rdma)', ink: 'var(--rdma-ink)', dash: undefined },
  shm: { line: 'var(--shm)', ink: 'var(--shm-ink)', dash: '10 3' },
  tcp: { line: 'var(--tcp)', ink: 'var(--tcp-ink)', dash: '6 3' },
  udp: { line: 'var(--udp)', ink: 'var(--udp-ink)', dash: '2 3' },
};

export const CPU_COLOUR: Record<CpuKey, { fill: string; name: string }> = {
  app: { fill: 'var(--cpu-app)', name: 'Application' },
  nic: { fill: 'var(--cpu-nic)', name: 'NIC work' },
  kernel: { fill: 'var(--cpu-kernel)', name: 'Kernel' },
};

export const COST_COLOUR: Record<CostKey, { fill: string; name: string }> = {
  ...CPU_COLOUR,
  outside: { fill: 'var(--cpu-outside)', name: 'Kernel outside of processes' },
};
