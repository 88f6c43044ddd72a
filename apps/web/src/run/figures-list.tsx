'use client';
import { cpuPerGBTotal } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { count, sig3 } from '../format/number';
import { TRANSPORT_INK } from '../runs/columns';
import { TRANSPORT_NAME } from '../runs/figures';
import { PercentileFigure } from '../runs/percentile';
import { cn } from '../ui/cn';
import { Term } from '../ui/term';
import { Median } from './median';
import type { TransportFigures } from './model/figures';

interface Line {
  shows: string;
  name: ReactNode;
  unit?: string;
  of: (f: TransportFigures) => ReactNode;
}

const percentile = (which: 'p50' | 'p99' | 'p999') => (f: TransportFigures) => (
  <PercentileFigure latency={f.latency} which={which} />
);

const LINES: readonly Line[] = [
  {
    shows: 'goodput',
    name: <Term id="goodput" />,
    unit: 'Gb/s',
    of: (f) => <Median shows="goodput" value={f.goodputGbps} figures={f} spread={f.spread?.goodputGbps} />,
  },
  {
    shows: 'messages',
    name: 'Messages',
    unit: 'k/s',
    of: (f) => sig3(f.messagesPerSecond === null ? null : f.messagesPerSecond / 1000),
  },
  { shows: 'cpu-app', name: 'CPU: application', unit: 's/GB', of: (f) => sig3(f.cpu?.app) },
  {
    shows: 'cpu-nic',
    name: (
      <>
        CPU: <Term id="nicWork" />
      </>
    ),
    unit: 's/GB',
    of: (f) => sig3(f.cpu?.nic),
  },
  { shows: 'cpu-kernel', name: 'CPU: kernel', unit: 's/GB', of: (f) => sig3(f.cpu?.kernel) },
];

const OUTSIDE: Line = {
  shows: 'cpu-outside',
  name: (
    <>
      CPU: <Term id="kernelOutside" />
    </>
  ),
  unit: 's/GB',
  of: (f) => sig3(f.cpu?.outside),
};

const REST: readonly Line[] = [
  {
    shows: 'cpu-sum',
    name: 'CPU: sum of both ends',
    unit: 's/GB',
    of: (f) => (
      <Median
        shows="cpu-sum"
        value={f.cpu && cpuPerGBTotal(f.cpu)}
        figures={f}
        spread={f.spread?.cpuSecondsPerGB}
      />
    ),
  },
  { shows: 'p50', name: 'Latency p50', unit: 'µs', of: percentile('p50') },
  { shows: 'p99', name: 'Latency p99', unit: 'µs', of: percentile('p99') },
  {
    shows: 'p999',
    name: (
      <>
        Latency <Term id="p999" />
      </>
    ),
    unit: 'µs',
    of: percentile('p999'),
  },
  { shows: 'max', name: 'Latency max', unit: 'µs', of: (f) => sig3(f.latency?.max) },
  {
    shows: 'samples',
    name: (
      <>
        Latency samples (<Term id="samples" />)
      </>
    ),
    of: (f) => count(f.latency?.n),
  },
];

/** The figures one below the other, a column for each transport: for pages too narrow for the table of figures. */
export function FiguresList({ list, outside }: { list: readonly TransportFigures[]; outside: boolean }) {
  return (
    <table className="w-full max-w-[40rem]" aria-label="Figures">
      <thead>
        <tr className="border-b">
          <td />
          {list.map((f) => (
            <th
              key={f.transport}
              scope="col"
              className={cn('h-8 pl-3 text-right font-semibold', TRANSPORT_INK[f.transport])}
            >
              {TRANSPORT_NAME[f.transport]}
              {f.settled ? null : <span className="font-normal text-ink-3"> so far</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y border-b">
        {[...LINES, ...(outside ? [OUTSIDE] : []), ...REST].map(({ shows, name, unit, of }) => (
          <tr key={shows}>
            <th scope="row" className="h-8 text-left text-13 font-normal text-ink-2">
              {name} {unit ? <span className="unit text-ink-3">{unit}</span> : null}
            </th>
            {list.map((f) => (
              <td
                key={f.transport}
                className="num h-8 pl-3 text-right"
                data-shows={shows}
                data-transport={f.transport}
              >
                {of(f)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
