/** The recording of a connection that the connection manager makes: its messages, and the calls around them. */
import type { Analysis } from '@verbslab/roce';
import { runPackets } from '../packet-rows';
import type { RunModel } from '../run-model';
import { machineModel, type MachinePart } from '../machine/machine';
import { callEnd, callEvent } from './recorded-calls';
import { endWithoutQp, recordedEnd, recordedIn, type EndParts } from './recorded-end';
import { inOrder, shifted } from './recorded-order';
import { arrivalsOf, AT_ZERO, finished, labelOf, type Draft } from './recorded-packets';
import { placeBetween } from './place-between';
import type { RecordedEnd, Recording } from './recording';
import { otherSide, type Side } from './state';

const CALLS: readonly string[] = ['rdma_connect', 'rdma_accept', 'rdma_create_qp', 'rdma_reject'];
/** Messages of one connection: REQ, REP and RTU, and a few that are repeated. */
const MOST = 12;

/** Messages from the first REQ to the first RTU or REJ, with run times. */
function messagesOf(run: RunModel, analysis: Analysis): { drafts: Draft[]; requester: string } | null {
  const rows = runPackets(run.packets);
  const endpointOf = (index: number): string => run.sources.get(rows.source(index) ?? -1)?.endpoint ?? '';
  const arrivals = arrivalsOf(analysis);
  // The arrival of a message that was captured as it left is not another message.
  const own = analysis.rows.filter((row, i) => row.cm !== undefined && analysis.departureOf[i]! < 0);
  const first = own.findIndex(({ cm, direction }) => cm === 'ConnectRequest' && direction === 'out');
  if (first < 0) return null;
  const end = own.findIndex(({ cm }, i) => i > first && (cm === 'ReadyToUse' || cm === 'ConnectReject'));
  const requester = endpointOf(own[first]!.index);
  const shown = own.slice(first, end < 0 ? first + MOST : Math.min(end + 1, first + MOST));
  const drafts = shown.map((row): Draft => {
    const out = row.direction === 'out';
    const side: Side = (endpointOf(row.index) === requester) === out ? 'client' : 'server';
    const lost = rows.lost(row.index);
    return {
      ...AT_ZERO,
      ...{ kind: 'packet', id: `p${row.index}`, side, lost, sent: out ? row.t : null },
      arrived: lost ? null : out ? (arrivals.get(row.index) ?? null) : row.t,
      ...{ again: false, packet: 'request', label: labelOf(row, undefined), psn: null, bytes: 0 },
      ...{ request: null, into: null, reth: null, refusal: null, wait: null, taken: !lost },
      ...{ asks: false, transport: 'UD', first: true, psns: 1, nak: null },
    };
  });
  const seen = new Set<string>();
  for (const one of drafts) {
    one.again = seen.has(`${one.side} ${one.label}`);
    seen.add(`${one.side} ${one.label}`);
  }
  // The other end's rdma_accept returns when the RTU is there.
  const accepted = run.trace.flatMap((e) =>
    e.kind === 'verb' && e.call === 'rdma_accept' && e.endpoint !== requester ? (callEnd(e) ?? []) : [],
  );
  placeBetween(drafts, drafts.at(-1)!.sent ?? drafts.at(-1)!.arrived!, (one) => {
    const answer = drafts.find(
      ({ side, arrived, sent }) => side !== one.side && (sent ?? arrived ?? 0) > one.t,
    );
    if (answer) return answer.sent ?? answer.arrived;
    return one.label === 'RTU' ? (accepted.find((t) => t > one.t) ?? null) : null;
  });
  return { drafts, requester };
}

function endOf(run: RunModel, endpoint: string, from: number, to: number): RecordedEnd {
  const parts: readonly MachinePart[] = machineModel(run, to)
    .hosts.flatMap(({ processes }) => processes)
    .filter((one) => one.endpoint === endpoint)
    .flatMap((one) => [...one.parts]);
  const qp = parts.findLast(({ kind, call }) => kind === 'QP' && call === 'rdma_create_qp');
  if (!qp) return endWithoutQp(run, endpoint, parts);
  const end: EndParts = { endpoint, parts, qp };
  return recordedEnd({ run, end, at: from - 1, nameOf: () => '', gid: null }, new Set());
}

/** Null if no REQ was captured as it left. */
export function connectRecording(run: RunModel, analysis: Analysis | null): Recording | null {
  const found = analysis && messagesOf(run, analysis);
  if (!found) return null;
  const { drafts, requester } = found;
  const first = Math.min(...drafts.map(({ from }) => from));
  const last = Math.max(...drafts.map(({ to }) => to));
  const calls = run.trace.flatMap((e) =>
    e.kind === 'verb' && CALLS.includes(e.call) && e.t <= last && (callEnd(e) ?? e.t) >= first ? [e] : [],
  );
  const from = Math.min(first, ...calls.map(({ t }) => t));
  const other = [...run.endpoints.keys()].find((name) => name !== requester) ?? 'peer';
  const sideOf = (endpoint: string): Side => (endpoint === requester ? 'client' : otherSide('client'));
  const where = recordedIn(run, { endpoint: requester, qp: null }, from);
  return {
    title: 'A connection of the connection manager',
    ...where,
    // On the embedded device, messages of the connection manager never use shared memory.
    link: where.provider === 'user-space' ? 'udp' : null,
    ...{ transport: 'UD', mtu: null, poster: 'client', requests: [] },
    ends: { client: endOf(run, requester, from, last), server: endOf(run, other, from, last) },
    events: shifted(
      inOrder([...drafts.map(finished), ...calls.map((e) => callEvent(e, sideOf(e.endpoint ?? '')))]),
      from,
    ),
    ...{ withoutPackets: false, withoutStamps: true },
  };
}
