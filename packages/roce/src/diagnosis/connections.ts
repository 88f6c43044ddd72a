import type { EndpointRef } from '../models/types.js';
import type { Addresses } from './facts.js';
import type { Flow } from './flow.js';
import type { DiagnosedConnection, Direction } from './types.js';

/** A connection with the flows of its directions. */
export interface FoundConnection {
  shown: DiagnosedConnection;
  /** Flows from each end. */
  flows: [Flow, Flow | null];
}

/** Fewest packets for a rate. A rate over fewer says more about their spacing than about the connection. */
export const RATED = 10;

/** Payload per time in Gb/s; null if there is too little. */
export function rateOf({ data, goodBytes }: Flow): number | null {
  const ns = data.endT - data.startT;
  return data.packets >= RATED && ns > 0 ? (goodBytes * 8) / ns : null;
}

function direction(flow: Flow | null): Direction | null {
  if (!flow || flow.packets === 0) return null;
  const { data } = flow;
  return {
    packets: flow.packets,
    wireBytes: flow.wireBytes,
    goodBytes: flow.goodBytes,
    payloadBytes: flow.payloadBytes,
    startT: flow.startT,
    endT: flow.endT,
    gbps: rateOf(flow),
    headerShare:
      data.wireBytes > 0 ? Math.max(0, (data.wireBytes - flow.payloadBytes) / data.wireBytes) : null,
    retransmissions: flow.requester.runs.retransmissions,
    missing: Math.max(0, flow.requester.gaps.psns - flow.requester.goingBack.recovered),
    messages: flow.messages.end(),
  };
}

/** Datagrams name both QPs, so flows that name each other belong together. */
function joinDatagrams(flows: readonly Flow[]): void {
  const named = new Map<string, Flow>();
  for (const flow of flows) {
    if (flow.peer || flow.srcQp < 0) continue;
    const back = named.get(`${flow.dst} ${flow.qp} ${flow.src} ${flow.srcQp}`);
    if (back && !back.peer) {
      back.peer = flow;
      flow.peer = back;
      flow.matched = back.matched = 'datagram';
    } else named.set(`${flow.src} ${flow.srcQp} ${flow.dst} ${flow.qp}`, flow);
  }
}

/** Flows put together, in the order of their first packets. */
export function connectionsOf(
  flows: readonly Flow[],
  sender: (flow: Flow) => EndpointRef,
  { texts }: Addresses,
): FoundConnection[] {
  joinDatagrams(flows);
  const found: FoundConnection[] = [];
  for (const flow of flows) {
    const peer = flow.peer;
    if ((peer && peer.id < flow.id) || flow.packets === 0) continue;
    const shown: DiagnosedConnection = {
      id: found.length,
      ends: [sender(flow), { ip: texts[flow.dst]!, qpn: flow.qp }],
      transport: flow.transport || peer?.transport || 'CNP',
      matched: flow.matched,
      from: [direction(flow), direction(peer)],
      mtu: flow.mtu || peer?.mtu || null,
      firstPacket: flow.firstPacket,
      lastPacket: Math.max(flow.lastPacket, peer?.lastPacket ?? 0),
    };
    found.push({ shown, flows: [flow, peer] });
  }
  return found;
}
