import { isFinal, type RunRecord, type Transport } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { sig3, when } from '../format/number';
import { ProviderBadge } from '../ui/provider-badge';
import { StateBadge } from '../ui/state-badge';
import { cpuTotal, runSeconds, TRANSPORT_NAME } from './figures';
import { PerhapsPartial } from './partial';
import { PercentileFigure } from './percentile';

/** A column of the list of runs: what it sorts by and how it looks. The unit stands in the heading, once. */
export interface RunColumn {
  id: string;
  title: string;
  unit?: string;
  /** Colour of the heading, for columns of one transport. */
  transport?: Transport;
  numeric?: boolean;
  /** Widths below which the column is left out. */
  from?: 'sm' | 'md' | 'lg';
  sort: (run: RunRecord) => number | string | null;
  cell: (run: RunRecord) => ReactNode;
}

const goodput = (t: Transport) => (r: RunRecord) => r.result?.transports[t]?.goodputGbps ?? null;
const cpu = (t: Transport) => (r: RunRecord) => {
  const result = r.result?.transports[t];
  return result ? cpuTotal(result) : null;
};

function figure(
  id: string,
  transport: Transport,
  title: string,
  unit: string,
  from: RunColumn['from'],
  value: (r: RunRecord) => number | null,
): RunColumn {
  return {
    id,
    title,
    unit,
    transport,
    numeric: true,
    ...(from ? { from } : {}),
    sort: value,
    cell: (r) => {
      const found = value(r);
      if (found === null) return sig3(null);
      return (
        <PerhapsPartial run={r} transport={transport}>
          {sig3(found)}
        </PerhapsPartial>
      );
    },
  };
}

function p99(transport: Transport): RunColumn {
  const latency = (r: RunRecord) => r.result?.transports[transport]?.latencyUs ?? null;
  return {
    ...figure(`${transport}-p99`, transport, `${TRANSPORT_NAME[transport]} p99`, 'µs', 'lg', (r) => {
      return latency(r)?.p99 ?? null;
    }),
    cell: (r) => (
      <PerhapsPartial run={r} transport={transport}>
        <PercentileFigure latency={latency(r)} which="p99" />
      </PerhapsPartial>
    ),
  };
}

export const RUN_COLUMNS: readonly RunColumn[] = [
  { id: 'number', title: 'Run', numeric: true, sort: (r) => r.number, cell: (r) => r.number },
  { id: 'lab', title: 'Lab', sort: (r) => r.title, cell: (r) => r.title },
  {
    id: 'state',
    title: 'State',
    sort: (r) => r.state,
    cell: (r) => <StateBadge state={r.state} problems={r.result?.problems} />,
  },
  {
    id: 'started',
    title: 'Started',
    from: 'lg',
    sort: (r) => r.createdAt,
    cell: (r) => <span className="num text-13 whitespace-nowrap">{when(r.createdAt)}</span>,
  },
  {
    id: 'took',
    title: 'Took',
    unit: 's',
    numeric: true,
    from: 'md',
    sort: (r) => (isFinal(r.state) ? runSeconds(r, 0) : null),
    cell: (r) => (isFinal(r.state) ? sig3(runSeconds(r, 0)) : '–'),
  },
  {
    id: 'provider',
    title: 'Provider class',
    from: 'md',
    sort: (r) => r.result?.provider ?? '',
    cell: (r) => (r.result?.provider ? <ProviderBadge provider={r.result.provider} /> : '–'),
  },
  figure('rdma-goodput', 'rdma', 'RDMA', 'Gb/s', undefined, goodput('rdma')),
  figure('tcp-goodput', 'tcp', 'TCP', 'Gb/s', undefined, goodput('tcp')),
  figure('rdma-cpu', 'rdma', 'RDMA CPU', 's/GB', 'lg', cpu('rdma')),
  figure('tcp-cpu', 'tcp', 'TCP CPU', 's/GB', 'lg', cpu('tcp')),
  p99('rdma'),
  p99('tcp'),
];

export const FROM_CLASS: Record<NonNullable<RunColumn['from']>, string> = {
  sm: 'max-sm:hidden',
  md: 'max-md:hidden',
  lg: 'max-lg:hidden',
};

export const TRANSPORT_INK: Record<Transport, string> = {
  rdma: 'text-rdma-ink',
  tcp: 'text-tcp-ink',
  udp: 'text-udp-ink',
};
