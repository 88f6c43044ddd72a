/** Links that carried the packets behind the figures of runs. No schemas here: pages use these words. */
import { transportName, transportOfLinks, type Link } from './links.js';
import type { RunRow } from './run-row-schema.js';
import type { Transport } from './transports.js';

/** The link that carried all packets of a transport in a run; null if it is unknown or not the only one. */
export function linkOfRun({ result }: RunRow, transport: Transport): Link | null {
  const own = result?.transports[transport];
  if (own) return own.link ?? null;
  // A program's work is RDMA over the links that it used.
  const links = result?.program?.work && transport === transportOfLinks(result.links) ? result.links : [];
  return links?.length === 1 ? links[0]! : null;
}

/**
 * Heading of a transport's figures in a list of runs, with the link that carried all of them. `RDMA, other`: figures of
 * several links, or of devices with one link only, beside those over shared memory alone.
 */
export function transportNameOver(runs: readonly RunRow[], transport: Transport): string {
  const links = new Set(runs.map((run) => linkOfRun(run, transport)));
  return links.size > 1 ? 'RDMA, other' : transportName(transport, [...links][0]);
}
