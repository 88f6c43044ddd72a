/** The calls of a connection as rows: the event that ended each, its duration, and the part that it belongs to. */
import type { EndpointHandle, LabContext, QpState } from '@verbslab/protocol';
import type { ConnectionManagerParams } from './params.js';

export type Context = LabContext<ConnectionManagerParams>;
export type Way = 'rdma_cm' | 'by hand' | 'rejected';
export type Tag = 'setup, once' | 'ready' | 'data, per message' | 'end';

/** The event that follows a call of the connection manager; the time of a call ends with it, except for rdma_disconnect. */
const EVENT_OF: Readonly<Record<string, string>> = {
  rdma_resolve_addr: 'ADDR_RESOLVED',
  rdma_resolve_route: 'ROUTE_RESOLVED',
  rdma_connect: 'ESTABLISHED',
  rdma_accept: 'ESTABLISHED',
  rdma_disconnect: 'DISCONNECTED',
};

export interface Traced {
  /** All of these calls, ns. */
  totalNs: number;
  /** rdma_connect until its event; null where it was not called. */
  connectNs: number | null;
  names: string[];
}

/** Calls of an endpoint since this was last asked, without those that only look. `connect`: the event that ended rdma_connect. */
export function traceCalls(ctx: Context, way: Way, endpoint: string, tag: Tag, connect?: string): Traced {
  const calls = ctx.calls(endpoint).filter(({ call }) => !call.startsWith('ibv_query'));
  for (const { call, durationNs } of calls)
    ctx.row('trace', {
      way,
      endpoint,
      tag,
      call,
      event: (call === 'rdma_connect' ? connect : undefined) ?? EVENT_OF[call] ?? null,
      time: durationNs / 1000,
    });
  return {
    totalNs: calls.reduce((sum, { durationNs }) => sum + durationNs, 0),
    connectNs: calls.find(({ call }) => call === 'rdma_connect')?.durationNs ?? null,
    names: calls.map(({ call }) => call),
  };
}

const WAIT_MS = 10_000;

/** Types of the events since the last call, up to `until` or to what came in time. */
export async function eventsUntil(endpoint: EndpointHandle, until: string): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const { events } = await endpoint.call('cm.events', { timeoutMs: WAIT_MS });
    seen.push(...events.map(({ type }) => type));
    if (seen.includes(until) || events.length === 0) return seen;
  }
}

export const stateOf = async (endpoint: EndpointHandle, qp: number): Promise<QpState> =>
  (await endpoint.call('queryQp', { qp })).state;
