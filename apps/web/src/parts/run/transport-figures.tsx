/** Texts on the figures of a run for lists, tables and comparisons. */
import {
  bothDirections,
  programGbps,
  programSpan,
  transportOfLinks,
  type LatencyUs,
  type RunRow,
  type Transport,
  cpuPerGBTotal,
  runSeconds,
  untilText,
  type TransportResult,
  NOT_ENOUGH_SAMPLES,
  whyWithheld,
  type Percentile,
} from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { inGbps, secondsText, sig3 } from '../../format/number';
import { Explained } from '../../ui/explained';

export const figuresOf = (run: RunRow, transport: Transport) => run.result?.transports[transport];

/** Work of a program, which is RDMA over its links. */
export const workOf = (run: RunRow, transport: Transport) =>
  transport === transportOfLinks(run.result?.links) ? run.result?.program?.work : undefined;

export const goodputOf = (run: RunRow, transport: Transport): number | null =>
  figuresOf(run, transport)?.goodputGbps ?? programGbps(workOf(run, transport));

export const latencyOf = (run: RunRow, transport: Transport): LatencyUs | null =>
  (figuresOf(run, transport) ?? workOf(run, transport))?.latencyUs ?? null;

/** Goodput of a run. The rate of a program is an average over all its traffic, in both directions. */
export function goodputCell(run: RunRow, transport: Transport): ReactNode {
  const text = inGbps(goodputOf(run, transport));
  const work = workOf(run, transport);
  return work && !figuresOf(run, transport) ? (
    <Explained
      meaning={`Average of all bytes that the program moved${bothDirections(work) ? ', both directions together' : ''}, ${programSpan(work)}.`}
    >
      {text}
    </Explained>
  ) : (
    text
  );
}

export const TRANSPORT_INK: Record<Transport, string> = {
  rdma: 'text-rdma-ink',
  shm: 'text-shm-ink',
  tcp: 'text-tcp-ink',
  udp: 'text-udp-ink',
};

/** Text wherever latencies of RDMA and of TCP or UDP are side by side. */
export const LATENCY_CLOCKS =
  'Latency does not compare RDMA with TCP: their clocks stop at different events.';

/** CPU seconds per GB in total; null if nothing was transferred. */
export function cpuTotal(r: TransportResult): number | null {
  const c = r.cpuSecondsPerGB;
  return c && cpuPerGBTotal(c);
}

/** Time that partial figures of a run that ended early cover: "until it was cancelled after 3.1 s". */
export function coverage(run: RunRow): string {
  const seconds = runSeconds(run);
  return untilText(run.state, seconds === null ? undefined : secondsText(seconds));
}

/** A percentile in µs. A withheld percentile says so, and on hover the number of samples that it needs. */
export function PercentileFigure({ latency, which }: { latency: LatencyUs | null; which: Percentile }) {
  const value = latency?.[which] ?? null;
  if (value !== null || latency?.n === undefined) return sig3(value);
  return (
    <Explained meaning={whyWithheld(which, latency.n)}>
      <span className="inline-block text-right font-sans text-12 leading-3.5 text-ink-3">
        {NOT_ENOUGH_SAMPLES}
      </span>
    </Explained>
  );
}
