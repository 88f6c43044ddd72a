/** What the row of a run knows of each transport. */
import {
  bothDirections,
  programGbps,
  programSpan,
  transportOfLinks,
  type LatencyUs,
  type RunRow,
  type Transport,
} from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { inGbps } from '../../format/number';
import { Explained } from '../../ui/explained';

export const figuresOf = (run: RunRow, transport: Transport) => run.result?.transports[transport];

/** What a program did, which is RDMA over the links that it used. */
export const workOf = (run: RunRow, transport: Transport) =>
  transport === transportOfLinks(run.result?.links) ? run.result?.program?.work : undefined;

export const goodputOf = (run: RunRow, transport: Transport): number | null =>
  figuresOf(run, transport)?.goodputGbps ?? programGbps(workOf(run, transport));

export const latencyOf = (run: RunRow, transport: Transport): LatencyUs | null =>
  (figuresOf(run, transport) ?? workOf(run, transport))?.latencyUs ?? null;

/** The rate of a program is an average over all that it moved, in both directions. */
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
