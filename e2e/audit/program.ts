// A run of a program under `verbslab exec`.
import { itemsOf, type RunExport } from './export.js';
import { sum } from './figures.js';
import type { Latencies } from './loops.js';

/**
 * The command as a shell would show it. The audit's programs need no quotes. `index`: command of a run with several.
 */
export const commandOf = ({ run }: RunExport, index = 0): string =>
  (run.result?.program?.commands?.[index]?.command ?? (run.parameters.command as string[])).join(' ');

/** The command that runs it again, with the options that `exec` had. */
export function againOf(data: RunExport, index = 0): string {
  const { commands } = data.run.result?.program ?? {};
  const options = commands ? commands[index]?.options : (data.run.parameters.options as string[] | undefined);
  return ['npx verbslab exec', ...(options ?? []), '--', commandOf(data, index)].join(' ');
}

const SUCCESS = 0;

interface Polled {
  /** The process that polled it. */
  endpoint: string;
  /** Time of the poll, ns. */
  t: number;
  /** Bytes moved; 0 for a failed completion. */
  bytes: number;
  /** Time from the post, ns; 0 for a receive. */
  latency: number;
}

/** All completions, the earliest first. The audit's programs lose no record. */
export const polledOf = (data: RunExport): Polled[] => {
  const endpoints = new Map(itemsOf(data, 'source').map(({ source, endpoint = '' }) => [source, endpoint]));
  return itemsOf(data, 'completions')
    .flatMap(({ t, source, columns }) =>
      columns.dt.map((dt, i) => {
        const good = ((columns.meta[i]! >>> 8) & 0xff) === SUCCESS;
        return {
          endpoint: endpoints.get(source) ?? '',
          t: t + dt,
          bytes: good ? columns.byteLen[i]! : 0,
          latency: good ? columns.latency[i]! : 0,
        };
      }),
    )
    .sort((a, b) => a.t - b.t);
};

/** Latencies of all requests: a receive has none. The page rounds each up to its slot. */
export const latenciesOfProgram = (data: RunExport): Latencies => ({
  sorted: polledOf(data)
    .flatMap(({ latency }) => (latency > 0 ? [latency] : []))
    .sort((a, b) => a - b),
  road: 'the completion records of the stream',
  slot: 1 / 1000,
});

type From = 'post' | 'completion';

/** Span of time that some completions took together. */
function spanOf(polled: readonly Polled[], posts: readonly number[]) {
  const [first, last] = [polled[0]!, polled.at(-1)!];
  const posted = Math.min(...posts);
  // The time of the first completions is unknown without an earlier post.
  const from: From = posted <= first.t ? 'post' : 'completion';
  const timed = polled.filter(({ t }) => from === 'post' || t > first.t);
  return { from, begin: from === 'post' ? posted : first.t, end: last.t, timed };
}

/**
 * Average rate, and the time it is taken over; null for a program that completed nothing. Joined commands have times of
 * their own: the average covers the earliest begin to the latest end of the commands that moved something. Both ends of
 * the audit's connections are in the run, so receives do not count beside their sends.
 */
export function averageOf(data: RunExport): { gbps: number; ns: number; from: From } | null {
  const polled = polledOf(data);
  if (polled.length === 0) return null;
  const joined = data.run.result?.program?.commands !== undefined;
  const posts = itemsOf(data, 'wr');
  const endpoints = joined ? [...new Set(polled.map(({ endpoint }) => endpoint))] : [null];
  const spans = endpoints
    .map((endpoint) =>
      spanOf(
        polled.filter((one) => endpoint === null || one.endpoint === endpoint),
        posts.filter((wr) => endpoint === null || wr.endpoint === endpoint).map((wr) => wr.posted),
      ),
    )
    .map(({ timed, ...span }) => ({
      ...span,
      bytes: sum(timed.filter(({ latency }) => !joined || latency > 0).map(({ bytes }) => bytes)),
    }));
  const moving = spans.filter(({ bytes }) => bytes > 0);
  const counted = moving.length > 0 ? moving : spans;
  const first = counted.reduce((a, b) => (b.begin < a.begin ? b : a));
  const ns = Math.max(...counted.map(({ end }) => end)) - first.begin;
  return { gbps: (sum(counted.map(({ bytes }) => bytes)) * 8) / ns, ns, from: first.from };
}
