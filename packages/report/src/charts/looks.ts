import { TRANSPORTS, type Transport } from '@verbslab/protocol';
import type { CostKey } from './chart-rows.js';

/** Lines differ in dash too, so color is not the only sign. */
export const TRANSPORT_DASH: Readonly<Record<Transport, string | undefined>> = {
  rdma: undefined,
  shm: '10 3',
  tcp: '6 3',
  udp: '2 3',
};

export const COST_NAME: Readonly<Record<CostKey, string>> = {
  app: 'Application',
  nic: 'NIC work',
  kernel: 'Kernel',
  outside: 'Kernel outside of processes',
};

export interface SeriesLook {
  /** Name of a data color: a transport, or `series-1` to `series-4`. */
  color: string;
  dash: string | undefined;
}

const DASHES = [undefined, '6 3', '2 3', '10 3'];

/** A series that is a transport has its color everywhere; others have four of their own. Dashes make them differ without color. */
export function seriesLook(name: string, index: number): SeriesLook {
  const transport = TRANSPORTS.find((one) => one === name);
  if (transport) return { color: transport, dash: TRANSPORT_DASH[transport] };
  return {
    color: `series-${(index % 4) + 1}`,
    dash: DASHES[(index + Math.floor(index / 4)) % DASHES.length],
  };
}
