/** Hosts that are all connected with each other, each with one region for everything that it sends and gets. */
import type { ConnectOptions, EndpointHandle, EndpointResult, LabContext } from '@verbslab/protocol';
import { linkOption } from '../link.js';
import { connectSides } from '../side.js';
import type { AllToAllParams } from './params.js';
import { placesOf } from './schedule.js';

export type Context = LabContext<AllToAllParams>;

/** A code of 0.27 s: more processes than cores may keep a host waiting. */
const PATIENT: ConnectOptions = { timeout: 16 };

export interface Host {
  endpoint: EndpointHandle;
  pd: number;
  mr: EndpointResult<'regMr'>;
  cq: number;
  /** By the number of the peer; none for the host itself. */
  qps: Map<number, EndpointResult<'createQp'>>;
}

export interface Hosts {
  all: Host[];
  /** Blocks that one message may gather. */
  gather: number;
}

async function openHost(ctx: Context, endpoint: EndpointHandle, count: number): Promise<Host> {
  const { pd } = await endpoint.call('allocPd', {});
  const length = placesOf(count) * ctx.params.large;
  const mr = await endpoint.call('regMr', { pd, length, access: ['LOCAL_WRITE', 'REMOTE_WRITE'] });
  const { cq } = await endpoint.call('createCq', { depth: 16 });
  return { endpoint, pd, mr, cq, qps: new Map() };
}

async function addQp(ctx: Context, host: Host, peer: number, gather: number): Promise<void> {
  const { endpoint, pd, cq } = host;
  const queues = { sendCq: cq, maxSendWr: 4, maxRecvWr: 1, maxSendSge: gather };
  const qp = await endpoint.call('createQp', { pd, ...queues, ...linkOption(endpoint, ctx.params.link) });
  host.qps.set(peer, qp);
}

export async function openHosts(ctx: Context): Promise<Hosts> {
  const endpoints = ctx.endpoints('host');
  const count = endpoints.length;
  const gather = Math.min(Math.floor(count / 2), ...endpoints.map(({ device }) => device.limits.maxSge));
  const all = await Promise.all(endpoints.map((endpoint) => openHost(ctx, endpoint, count)));
  for (const [a, one] of all.entries())
    for (const [b, other] of all.entries()) {
      if (b <= a) continue;
      await addQp(ctx, one, b, gather);
      await addQp(ctx, other, a, gather);
      const ends = [
        { endpoint: one.endpoint, qp: one.qps.get(b)! },
        { endpoint: other.endpoint, qp: other.qps.get(a)! },
      ] as const;
      await connectSides(ctx, ends, ctx.params.link, [PATIENT, PATIENT]);
    }
  return { all, gather };
}

export async function closeHosts({ all }: Hosts): Promise<void> {
  for (const { endpoint, qps, cq, mr, pd } of all) {
    for (const { qp } of qps.values()) await endpoint.call('destroy', { what: 'qp', handle: qp });
    await endpoint.call('destroy', { what: 'cq', handle: cq });
    await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
    await endpoint.call('destroy', { what: 'pd', handle: pd });
  }
}

/** Path MTU of the connections, the smallest of all. */
export const mtuOf = ({ all }: Hosts): number =>
  Math.min(...all.flatMap(({ qps }) => [...qps.values()].map(({ info }) => info.mtu)));

/** Two hosts or more have one address. */
export function sharesAddress({ all }: Hosts): boolean {
  const gids = all.map(({ qps }) => [...qps.values()][0]?.info.gid);
  return new Set(gids).size < all.length;
}
