// A run of a program under `verbslab exec`.
import { itemsOf, type RunExport } from './export.js';
import { sum } from './figures.js';

/** The command as a shell would show it; the audit's programs need no quotes. `index`: of a run with several. */
export const commandOf = ({ run }: RunExport, index = 0): string =>
  (run.result?.program?.commands?.[index]?.command ?? (run.parameters.command as string[])).join(' ');

const SUCCESS = 0;

interface Polled {
  /** When it was polled. */
  t: number;
  /** 0 for a failed one, which moved nothing. */
  bytes: number;
  /** From its post; 0 for a receive. */
  latency: number;
}

/** All completions, the earliest first. The audit's programs lose no record. */
export const polledOf = (data: RunExport): Polled[] =>
  itemsOf(data, 'completions')
    .flatMap(({ t, columns }) =>
      columns.dt.map((dt, i) => {
        const good = ((columns.meta[i]! >>> 8) & 0xff) === SUCCESS;
        return {
          t: t + dt,
          bytes: good ? columns.byteLen[i]! : 0,
          latency: good ? columns.latency[i]! : 0,
        };
      }),
    )
    .sort((a, b) => a.t - b.t);

/** The average rate and what it is taken over; null for a program that completed nothing. */
export function averageOf(data: RunExport): { gbps: number; ns: number; from: 'post' | 'completion' } | null {
  const polled = polledOf(data);
  const [first, last] = [polled[0], polled.at(-1)];
  if (!first || !last) return null;
  const posted = Math.min(...itemsOf(data, 'wr').map((wr) => wr.posted));
  // Without a post before it, nothing is known of the time that the first completions took.
  const from = posted <= first.t ? 'post' : 'completion';
  const ns = last.t - (from === 'post' ? posted : first.t);
  const timed = polled.filter(({ t }) => from === 'post' || t > first.t);
  return { gbps: (sum(timed.map(({ bytes }) => bytes)) * 8) / ns, ns, from };
}
