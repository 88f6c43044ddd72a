/** What the devices do, by recorded events: packets that leave and arrive, requests that are read, completions. */
import { burstsOf, type Burst } from './bursts';
import type { Events } from './events';
import type { PacketEvent } from './recording';
import { otherSide, SIDES, type Flow, type Side } from './state';
import { psnText, timeText } from './words';

/** A device at work from `from` to `to`; afterwards its lines stay until the stage ends or another one begins. */
export interface Activity {
  side: Side;
  from: number;
  to: number;
  lines: readonly string[];
  flows: readonly Flow[];
  /** False: the device waits. */
  lit: boolean;
  /** It sends or receives packets, so it uses the sockets of the kernel where the link does. */
  onWire: 'sends' | 'receives' | null;
}

const MOVES: readonly Burst['kind'][] = ['out', 'again', 'response'];

function whatIsSent({ kind, packets }: Burst): string {
  const [first] = packets as [PacketEvent];
  if (packets.length === 1) return kind === 'ask' ? 'sends the request' : `sends ${first.label}`;
  return kind === 'response' ? `sends ${packets.length} responses` : `sends ${packets.length} packets`;
}

function sending(events: Events, burst: Burst): Activity {
  const { kind, side, packets, from, sent } = burst;
  const inline = packets.every(({ request }) => request !== null && events.posted.get(request)?.inline);
  const moves = MOVES.includes(kind) && packets.some(({ bytes }) => bytes > 0);
  const lines: string[] = [];
  if (kind === 'again' && packets[0]!.psn !== null) lines.push(`goes back to ${psnText(packets[0]!.psn)}`);
  else if (moves && !inline) lines.push('reads memory,');
  else if (moves) lines.push('payload is in the WQE,');
  if (kind === 'ack') lines.push('sends the ACK');
  else if (kind === 'rnr') lines.push('RQ is empty:', 'sends RNR NAK');
  else if (kind === 'nak') lines.push('refuses:', packets[0]!.refusal ?? 'NAK');
  else lines.push(whatIsSent(burst));
  return {
    ...{ side, from, to: sent, lines, lit: true, onWire: 'sends' },
    flows: moves && !inline ? ['memory>device'] : [],
  };
}

/** Lines of a device that gets packets. */
function receivedLines({ kind, packets }: Burst): string[] {
  const come = packets.filter(({ lost }) => !lost);
  const [first] = come;
  if (!first) return [];
  if (kind === 'ack') return ['gets the ACK'];
  if (kind === 'nak' || kind === 'rnr') return [`gets ${first.label}`];
  if (kind === 'manager') return [`gets ${first.label}`];
  if (kind === 'ask') return ['checks rkey, bounds,', 'right'];
  const dropped = come.filter(({ taken }) => !taken);
  if (dropped.length === come.length) {
    const psn = dropped[0]!.psn;
    return psn === null ? ['drops it'] : [`drops ${psnText(psn)}`];
  }
  const checks = come.some(({ reth }) => reth !== null) ? ['checks rkey, bounds,', 'right'] : [];
  return [...checks, ...(come.some(({ into }) => into !== null) ? ['writes memory'] : ['takes it'])];
}

function receiving(burst: Burst): Activity | null {
  const come = burst.packets.filter(({ lost }) => !lost);
  if (come.length === 0) return null;
  const writes = come.some(({ taken, into, bytes }) => taken && into !== null && bytes > 0);
  return {
    ...{ side: otherSide(burst.side), lit: true, onWire: 'receives', lines: receivedLines(burst) },
    from: Math.min(...come.map(({ to }) => to)),
    to: Math.max(...come.map(({ to }) => to)),
    flows: writes ? ['device>memory'] : [],
  };
}

/** The poster waits for an answer to what it sent, or for a time that an RNR NAK asks for. */
function waiting(bursts: readonly Burst[], at: number): Activity | null {
  const burst = bursts[at]!;
  const next = bursts[at + 1];
  if (burst.kind === 'rnr')
    return {
      ...{ side: otherSide(burst.side), from: burst.to, to: next?.from ?? burst.to },
      ...{ lines: [`waits ${timeText(burst.packets[0]!.wait ?? 0)}`], flows: [], lit: false, onWire: null },
    };
  if (!next || !['out', 'again', 'ask'].includes(burst.kind) || next.from <= burst.sent) return null;
  const answer = next.kind === 'response' ? 'the data' : next.kind === 'again' ? 'its timeout' : 'an answer';
  return {
    ...{ side: burst.side, from: burst.sent, to: next.side === burst.side ? next.from : next.lands },
    lines: [`waits for ${next.kind === 'ack' ? 'the ACK' : answer}`],
    ...{ flows: [], lit: false, onWire: null },
  };
}

function queueWork(events: Events, side: Side): Activity[] {
  const about = { side, lit: true, onWire: null };
  return [
    ...events.of('fetched').flatMap((e): Activity[] => {
      if (e.side !== side) return [];
      const rq = e.queue === 'rq';
      const lines = [`${rq ? 'takes' : 'reads'} ${events.name(e.request)}`];
      // A RECV is taken when its message comes.
      const from = rq ? e.t : (e.since ?? e.t);
      return [{ ...about, from, to: e.t, lines, flows: [rq ? 'rq>device' : 'sq>device'] }];
    }),
    ...events.of('cqe').flatMap((e): Activity[] => {
      if (e.side !== side || e.since !== undefined) return [];
      const retires = events.find('retired', e.request)?.t === e.t;
      const lines = [
        ...(retires ? [`retires ${events.name(e.request)},`] : []),
        e.full ? 'CQ is full: no slot' : 'writes a CQE',
      ];
      return [{ ...about, from: e.t, to: e.t, lines, flows: e.full ? [] : ['device>cq'] }];
    }),
  ];
}

const known = new WeakMap<Events, readonly Activity[]>();

/** Activities of both devices, in order of their beginning. */
export function activitiesOf(events: Events): readonly Activity[] {
  let found = known.get(events);
  if (found) return found;
  const bursts = burstsOf(events);
  const all: Activity[] = SIDES.flatMap((side) => queueWork(events, side));
  bursts.forEach((burst, at) => {
    all.push(sending(events, burst), ...[receiving(burst), waiting(bursts, at)].flatMap((one) => one ?? []));
  });
  found = all.toSorted((a, b) => a.from - b.from || a.to - b.to);
  known.set(events, found);
  return found;
}
