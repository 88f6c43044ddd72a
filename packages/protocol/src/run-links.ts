/** What carried the packets behind the figures of runs. Without schemas: pages ask for these words. */
import { transportName, transportOfLinks, type Link } from './links.js';
import type { RunRow } from './run-row-schema.js';
import type { Transport } from './transports.js';

/** What carried the packets of a transport in a run, where that is known and one link. */
export function linkOfRun({ result }: RunRow, transport: Transport): Link | null {
  const own = result?.transports[transport];
  if (own) return own.link ?? null;
  // What a program does is RDMA over the links that it used.
  const links = result?.program?.work && transport === transportOfLinks(result.links) ? result.links : [];
  return links?.length === 1 ? links[0]! : null;
}

/**
 * How a list of runs heads the figures of a transport: with the link that carried all of them. `RDMA, other` are those of
 * several links, or of devices with one link only, beside those over shared memory alone.
 */
export function transportNameOver(runs: readonly RunRow[], transport: Transport): string {
  const links = new Set(runs.map((run) => linkOfRun(run, transport)));
  return links.size > 1 ? 'RDMA, other' : transportName(transport, [...links][0]);
}
