import type { Transport } from '@verbslab/protocol';
import { COST_NAME, TRANSPORT_DASH, type CostKey, type CpuKey } from '@verbslab/charts/data';

export interface TransportColour {
  line: string;
  ink: string;
  dash: string | undefined;
}

/** Fixed meanings; the values are in styles/tokens.css. Lines differ in dash too, so colour is not the only sign. */
export const TRANSPORT_COLOUR: Record<Transport, TransportColour> = {
  rdma: { line: 'var(--rdma)', ink: 'var(--rdma-ink)', dash: TRANSPORT_DASH.rdma },
  shm: { line: 'var(--shm)', ink: 'var(--shm-ink)', dash: TRANSPORT_DASH.shm },
  tcp: { line: 'var(--tcp)', ink: 'var(--tcp-ink)', dash: TRANSPORT_DASH.tcp },
  udp: { line: 'var(--udp)', ink: 'var(--udp-ink)', dash: TRANSPORT_DASH.udp },
};

export const CPU_COLOUR: Record<CpuKey, { fill: string; name: string }> = {
  app: { fill: 'var(--cpu-app)', name: COST_NAME.app },
  nic: { fill: 'var(--cpu-nic)', name: COST_NAME.nic },
  kernel: { fill: 'var(--cpu-kernel)', name: COST_NAME.kernel },
};

export const COST_COLOUR: Record<CostKey, { fill: string; name: string }> = {
  ...CPU_COLOUR,
  outside: { fill: 'var(--cpu-outside)', name: COST_NAME.outside },
};
