/** Connected hosts, each with one region for everything that it sends and receives. */
import type { LabContext } from '@verbslab/protocol';
import type { LinkParam } from '../endpoints/link.js';
import { PATIENT_WITH_RECVS } from '../endpoints/timeouts.js';
import { openOwner, type Owner, type Queues } from '../endpoints/scope.js';
import { connectSides } from '../endpoints/side.js';

/** Context of the labs of many hosts: a role `host`, and a link. */
export type Context = LabContext<{ link: LinkParam }>;

export interface Host extends Owner {
  /** Queues by the number of the peer, from 0; none for the host itself. */
  queues: Map<number, Queues>;
}

export interface HostOptions {
  /** Bytes of each host’s region. */
  length: number;
  /** Entries of each queue. */
  depth: number;
  /** Pieces of memory that one request may gather. Default 1. */
  gather?: number;
  /** True for pairs to connect; the lower number comes first. Default: all. */
  pairs?: (a: number, b: number) => boolean;
}

export async function openHosts(ctx: Context, options: HostOptions): Promise<Host[]> {
  const { length, depth, gather = 1, pairs = () => true } = options;
  const { link } = ctx.params;
  const hosts = await Promise.all(
    ctx.endpoints('host').map(async (endpoint): Promise<Host> => {
      const owner = await openOwner(endpoint, length, ['LOCAL_WRITE', 'REMOTE_WRITE']);
      return { ...owner, queues: new Map() };
    }),
  );
  for (const [a, one] of hosts.entries())
    for (const [b, other] of hosts.entries()) {
      if (b <= a || !pairs(a, b)) continue;
      const [near, far] = await Promise.all(
        [one, other].map(({ scope }) => scope.queues(link, depth, gather)),
      );
      one.queues.set(b, near!);
      other.queues.set(a, far!);
      const ends = [
        { endpoint: one.endpoint, qp: near!.qp },
        { endpoint: other.endpoint, qp: far!.qp },
      ] as const;
      await connectSides(ctx, ends, link, PATIENT_WITH_RECVS);
    }
  return hosts;
}

const infosOf = (hosts: readonly Host[]) =>
  hosts.flatMap(({ queues }) => [...queues.values()].map(({ qp }) => qp.info));

/** Path MTU of the connections, the smallest of all. */
export const mtuOf = (hosts: readonly Host[]): number => Math.min(...infosOf(hosts).map(({ mtu }) => mtu));

/** True if two hosts or more have one address. */
export function sharesAddress(hosts: readonly Host[]): boolean {
  const gids = hosts.map((host) => infosOf([host])[0]?.gid);
  return new Set(gids).size < hosts.length;
}
