import { cpuPerGBTotal } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { count, sig3 } from '../format/number';
import { PercentileFigure } from '../parts/run/transport-figures';
import { Term } from '../ui/term';
import { Median } from './median';
import type { TransportFigures } from '../model/figures';
import { nicText } from '../parts/charts/nic-text';

/** Figures with a common heading and unit. */
export interface FigureGroup {
  heading: string;
  unit: string;
}
const CPU: FigureGroup = { heading: 'CPU, both ends', unit: 's/GB' };
const LATENCY: FigureGroup = { heading: 'Latency', unit: 'µs' };

/** A figure of a transport: a column of the table, or a line of the list. */
export interface FigureColumn {
  /** Name for the audit. */
  shows: string;
  group?: FigureGroup;
  name: ReactNode;
  /** Unit of a figure without a group. */
  unit?: string;
  of: (f: TransportFigures) => ReactNode;
}

const percentile = (which: 'p50' | 'p99' | 'p999', name: ReactNode): FigureColumn => ({
  shows: which,
  group: LATENCY,
  name,
  of: (f) => <PercentileFigure latency={f.latency} which={which} />,
});

const BEFORE: readonly FigureColumn[] = [
  {
    shows: 'goodput',
    name: <Term id="goodput" />,
    unit: 'Gb/s',
    of: (f) => <Median shows="goodput" value={f.goodputGbps} figures={f} spread={f.spread?.goodputGbps} />,
  },
  {
    shows: 'messages',
    name: 'Messages',
    unit: 'k msg/s',
    of: (f) => sig3(f.messagesPerSecond === null ? null : f.messagesPerSecond / 1000),
  },
  { shows: 'cpu-app', group: CPU, name: 'Application', of: (f) => sig3(f.cpu?.app) },
  { shows: 'cpu-nic', group: CPU, name: <Term id="nicWork" />, of: (f) => nicText(f.transport, f.cpu?.nic) },
  { shows: 'cpu-kernel', group: CPU, name: 'Kernel', of: (f) => sig3(f.cpu?.kernel) },
];

const OUTSIDE: FigureColumn = {
  shows: 'cpu-outside',
  group: CPU,
  name: <Term id="kernelOutside" />,
  of: (f) => sig3(f.cpu?.outside),
};

const AFTER: readonly FigureColumn[] = [
  {
    shows: 'cpu-sum',
    group: CPU,
    name: 'Sum',
    of: (f) => (
      <Median
        shows="cpu-sum"
        value={f.cpu && cpuPerGBTotal(f.cpu)}
        figures={f}
        spread={f.spread?.cpuSecondsPerGB}
      />
    ),
  },
  {
    shows: 'samples',
    group: LATENCY,
    name: <Term id="samples" />,
    of: (f) => count(f.latency?.n),
  },
  percentile('p50', 'p50'),
  percentile('p99', 'p99'),
  percentile('p999', <Term id="p999" />),
  { shows: 'max', group: LATENCY, name: 'max', of: (f) => sig3(f.latency?.max) },
];

/** Figures of a run, in reading order. `outside`: true if CPU time outside of every process is known. */
export const figureColumns = (outside: boolean): readonly FigureColumn[] => [
  ...BEFORE,
  ...(outside ? [OUTSIDE] : []),
  ...AFTER,
];
