'use client';
import { cpuPerGBTotal } from '@verbslab/protocol';
import { inGbps, sig3 } from '../format/number';
import { TRANSPORT_INK } from '../parts/run/transport-figures';
import { cn } from '../ui/cn';
import { useTransportName } from '../parts/charts/transport-names';
import type { TransportFigures } from '../model/figures';

const th = 'h-7 px-2 text-right font-normal first:pl-0 first:text-left';
const td = 'num h-7 px-2 text-right first:pl-0';

/** The values behind the medians, and which end spent the CPU time. */
export function RoundsTable({ list }: { list: readonly TransportFigures[] }) {
  const nameOf = useTransportName();
  const rows = list.flatMap(({ transport, each }) => each.map((round, i) => ({ transport, round, i })));
  if (rows.length === 0) return null;
  const timed = rows.some(({ round }) => round.latencyUs);
  return (
    <details className="mt-1 text-13">
      <summary className="w-fit cursor-pointer py-1 text-ink-2">
        Each round, client and server separately
      </summary>
      <table className="mt-1 w-full max-w-[44rem]" data-shows="rounds-table">
        <thead className="text-12 text-ink-3">
          <tr className="border-b">
            <th scope="col" className={th}>
              Round
            </th>
            <th scope="col" className={th}>
              Goodput, Gb/s
            </th>
            <th scope="col" className={th}>
              CPU of the client, s/GB
            </th>
            <th scope="col" className={th}>
              CPU of the server, s/GB
            </th>
            <th scope="col" className={th}>
              Sum, s/GB
            </th>
            {timed ? (
              <th scope="col" className={th}>
                Median latency, µs
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map(({ transport, round, i }) => (
            <tr key={`${transport} ${i}`}>
              <th scope="row" className={cn('text-left font-medium', TRANSPORT_INK[transport])}>
                {nameOf(transport)} {i + 1}
              </th>
              <td className={td}>{inGbps(round.goodputGbps)}</td>
              <td className={td}>{sig3(round.cpuOfEnds?.client)}</td>
              <td className={td}>{sig3(round.cpuOfEnds?.server)}</td>
              <td className={td}>{sig3(round.cpuSecondsPerGB && cpuPerGBTotal(round.cpuSecondsPerGB))}</td>
              {timed ? <td className={td}>{sig3(round.latencyUs?.p50)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
