/** The memory region of an end at a time: what the requests name, and which bytes are the payload. */
import type { Events } from './events';
import type { PacketEvent, PostedEvent, RecordedRegion } from './recording';
import type { ByteRange, RulerState, Side } from './state';
import { bytesText, offsetText, rightsText } from './words';

type Touched = NonNullable<RulerState['touched']>;

const READS = /^RDMA_READ|^ATOMIC/;
/** Atomics act on 8 bytes of the peer, whatever their opcode. */
const bytesAt = ({ opcode, bytes }: PostedEvent): number => (opcode.startsWith('ATOMIC') ? 8 : bytes);

/** Ranges in order, with those that touch joined. */
export function joined(ranges: readonly (ByteRange & { faint: boolean })[]): RulerState['filled'] {
  const out: (ByteRange & { faint: boolean })[] = [];
  for (const one of ranges.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = out.at(-1);
    if (last && last.faint === one.faint && one.from <= last.to) last.to = Math.max(last.to, one.to);
    else out.push({ ...one });
  }
  return out;
}

/** Requests of the recording that are posted by the time. */
const postedBy = (events: Events, t: number): PostedEvent[] => events.subjects.filter((one) => one.t <= t);

/** True while the device works on the request. */
function isActive(events: Events, { request }: PostedEvent, t: number): boolean {
  const begun = events.find('fetched', request)?.t ?? Infinity;
  const over = events.find('retired', request)?.t ?? events.find('cqe', request)?.t ?? Infinity;
  return begun <= t && t < over;
}

/** Payload where it is before it is sent: the memory of the poster, or for a READ that of the peer. */
function sourcesAt(
  events: Events,
  side: Side,
  region: string,
  t: number,
): (ByteRange & { faint: boolean })[] {
  const { poster } = events.recording;
  return postedBy(events, t).flatMap((one) => {
    const range = READS.test(one.opcode) ? one.remote : one.local;
    const here = (READS.test(one.opcode) ? side !== poster : side === poster) && range?.region === region;
    if (!here || one.bytes === 0) return [];
    return [{ from: range.offset, to: range.offset + bytesAt(one), faint: !isActive(events, one, t) }];
  });
}

/** Payload that has arrived. Faint where only a later event proves it. */
function landedAt(
  { packets }: Events,
  side: Side,
  region: string,
  t: number,
): (ByteRange & { faint: boolean })[] {
  return packets.flatMap((one) =>
    one.side !== side && one.taken && one.proven && one.to <= t && one.into?.region === region
      ? [{ from: one.into.offset, to: one.into.offset + one.bytes, faint: one.arrived === null }]
      : [],
  );
}

function refusalAt({ packets }: Events, side: Side, t: number): PacketEvent | undefined {
  return packets.find(
    (one) =>
      one.side === side &&
      one.packet === 'nak' &&
      one.wait === null &&
      one.refusal !== 'psn sequence error' &&
      one.from <= t,
  );
}

/** Words of a range; the part beyond the region by its size. */
function touchedText(what: string, offset: number, bytes: number, length: number): string {
  const beyond = Math.max(0, offset + bytes - length) + Math.max(0, -offset);
  if (beyond === 0) return `${what}: ${offsetText(offset)}, ${bytesText(bytes)}`;
  return `${what}: ${offsetText(offset)} to ${offsetText(offset + bytes)}, ${bytesText(beyond)} beyond`;
}

function touchedAt(events: Events, side: Side, { id, length }: RecordedRegion, t: number): Touched | null {
  const range = (what: string, offset: number, bytes: number): Touched => ({
    ...{ from: offset, to: offset + bytes, text: touchedText(what, offset, bytes, length) },
    refused: refusalAt(events, side, t) !== undefined,
  });
  const named = events.packets.findLast(
    (one) =>
      one.side !== side && one.to <= t && !one.lost && one.reth?.region === id && one.reth.offset !== null,
  )?.reth;
  if (named) return range('RETH', named.offset!, named.bytes);
  const posted = [...events.posted.values()].filter((one) => one.t <= t && one.side === side);
  const own = posted.findLast(({ local }) => local?.region === id);
  if (!own) return null;
  return range(own.queue === 'rq' ? 'RECV buffer' : 'sge', own.local!.offset, own.bytes);
}

/** The region to draw: of the request or packet that was last, else the first one. */
function regionAt(events: Events, side: Side, t: number): RecordedRegion | null {
  const { recording } = events;
  const { regions } = recording.ends[side];
  const named = events.packets.findLast(
    (one) => one.side !== side && one.to <= t && (one.reth?.region ?? one.into?.region ?? null) !== null,
  );
  const posted = [...events.posted.values()].filter((one) => one.t <= t);
  const own = posted.findLast(({ local, side: at }) => at === side && local !== null)?.local;
  const peers = posted.findLast(({ remote, side: at }) => at !== side && remote !== null)?.remote;
  const id = named?.reth?.region ?? named?.into?.region ?? own?.region ?? peers?.region;
  return regions.find((one) => one.id === id) ?? regions[0] ?? null;
}

export function rulerAt(events: Events, side: Side, t: number): RulerState | null {
  const region = regionAt(events, side, t);
  if (!region) return null;
  const { recording } = events;
  const named = [...events.subjects, ...(recording.unposted ? [recording.unposted] : [])];
  const byRkey = side !== recording.poster && named.some(({ remote }) => remote?.region === region.id);
  const key = byRkey ? `rkey ${region.rkey ?? '?'}` : `lkey ${region.lkey ?? '?'}`;
  return {
    title: `MR ${key}, ${bytesText(region.length)}`,
    rights: rightsText(region),
    address: region.address,
    length: region.length,
    registered: true,
    filled: joined([...sourcesAt(events, side, region.id, t), ...landedAt(events, side, region.id, t)]),
    touched: touchedAt(events, side, region, t),
  };
}
