import type { LineLook } from '@verbslab/charts';
import type { Transport } from '@verbslab/protocol';
import { COST_NAME, TRANSPORT_DASH, type CostKey, type CpuKey } from '@verbslab/charts/data';

export type TransportColor = Omit<LineLook, 'name'>;

/** Fixed meanings; the values are in styles/tokens.css. Lines differ in dash too, so color is not the only sign. */
export const TRANSPORT_COLOR: Record<Transport, TransportColor> = {
  rdma: { line: 'var(--rdma)', ink: 'var(--rdma-ink)', dash: TRANSPORT_DASH.rdma },
  shm: { line: 'var(--shm)', ink: 'var(--shm-ink)', dash: TRANSPORT_DASH.shm },
  tcp: { line: 'var(--tcp)', ink: 'var(--tcp-ink)', dash: TRANSPORT_DASH.tcp },
  udp: { line: 'var(--udp)', ink: 'var(--udp-ink)', dash: TRANSPORT_DASH.udp },
};

export const CPU_COLOR: Record<CpuKey, { fill: string; name: string }> = {
  app: { fill: 'var(--cpu-app)', name: COST_NAME.app },
  nic: { fill: 'var(--cpu-nic)', name: COST_NAME.nic },
  kernel: { fill: 'var(--cpu-kernel)', name: COST_NAME.kernel },
};

export const COST_COLOR: Record<CostKey, { fill: string; name: string }> = {
  ...CPU_COLOR,
  outside: { fill: 'var(--cpu-outside)', name: COST_NAME.outside },
};
