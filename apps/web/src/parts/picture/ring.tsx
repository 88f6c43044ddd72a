import { memo } from 'react';
import type { QueueKind, RingState, Side, Slot } from '../../model/picture/state';
import { cn } from '../../ui/cn';
import type { RingPlace } from './geometry';
import { same } from './same';
import { Lines, Text } from './text';
import { cut, widthOf, wrap } from './words';

/** A ring has no more slots than this; each then stands for several of the queue. */
const MOST = 40;
const DRAWN = 32;
/** Slots of a queue whose size was not recorded. */
const UNKNOWN = 16;
/** From this radius on, the pointer to the slot that is read next is a triangle inside of the ring. */
const INNER_FROM = 46;
/** Text of 14 px with medium weight, compared to other text. */
const LARGER = 1.2;
/** From this radius on, the ring says how many slots it has. */
const OF_FROM = 34;
/** What a slot shows that stands for several: the first of these that one of them is. */
const TELLING: readonly Slot[] = ['failed', 'waiting', 'unknown', 'cqe', 'used', 'free'];

/** The slots that are drawn for a queue, and how many slots of the state each stands for. */
export function drawnSlots({ capacity, slots }: RingState): { slots: readonly Slot[]; each: number } {
  if (slots.length === 0) {
    return { slots: Array<Slot>(Math.min(capacity ?? UNKNOWN, UNKNOWN)).fill('unknown'), each: 1 };
  }
  if (slots.length <= MOST) return { slots, each: 1 };
  const each = slots.length / DRAWN;
  const groups = Array.from({ length: DRAWN }, (_, i) =>
    slots.slice(Math.floor(i * each), Math.max(Math.floor(i * each) + 1, Math.floor((i + 1) * each))),
  );
  return { slots: groups.map((group) => TELLING.find((slot) => group.includes(slot))!), each };
}

/**
 * Text below a ring: its note, and how many slots stand for how many if `capacity` is not what is drawn. The second is never
 * left out. `says`: if the ring itself says how many slots it has; or what else is to be said because it cannot.
 */
export function ringNote(
  { note, capacity }: RingState,
  drawn: number,
  { w, lines }: RingPlace['note'],
  says: string,
): string[] {
  const known = says === 'all' || says === 'none';
  const own = [...(known ? [] : [says]), ...(note === null ? [] : [note])];
  if (capacity === null || capacity <= drawn) return wrap(own, w, lines);
  const all = capacity.toLocaleString('en-GB');
  const short = says === 'none' ? `${all} as ${drawn}` : known ? `drawn as ${drawn}` : `as ${drawn}`;
  for (const way of known ? [`${all} slots, drawn as ${drawn}`, short] : [short]) {
    const texts = wrap([...own, way], w, lines + 1);
    if (texts.length <= lines) return texts;
  }
  if (own.length === 0 || lines > 1) return [...wrap(own, w, lines - 1), cut(short, w)];
  const before = cut(own.join(' '), w - widthOf(` · ${short}`));
  return [before ? `${before} · ${short}` : cut(short, w)];
}

interface RingProps {
  place: RingPlace;
  ring: RingState;
  kind: QueueKind;
  side: Side;
  quiet: boolean;
  /** Fill of what was not recorded. */
  hatch: string;
  /** Notes are above the line to the device. */
  up: boolean;
}

/** A queue as a ring of slots. Outside: the slot that is written next. Inside: the one that is read next. */
export const Ring = memo(
  function Ring({ place, ring, kind, side, quiet, hatch, up }: RingProps) {
    const { x, y, r, note, label } = place;
    const { capacity, used, written, read } = ring;
    const { slots, each } = drawnSlots(ring);
    const hole = holeOf(r);
    const many = capacity === null ? '?' : capacity.toLocaleString('en-GB');
    const held = used === null ? '?' : used.toLocaleString('en-GB');
    // Inside of the ring, there is the room of a chord.
    const says = r >= OF_FROM && widthOf(`of ${many}`) <= 2 * Math.sqrt(hole ** 2 - 17 ** 2);
    /** How much larger than other text the number of slots in use is; undefined if it does not fit. */
    const figure = [LARGER, 1].find((size) => widthOf(held) * size <= 2 * hole - 2);
    const fits = figure !== undefined;
    const texts = ringNote(ring, slots.length, note, fits ? (says ? 'all' : 'none') : `${held} of ${many}`);
    return (
      <g
        className={quiet ? 'quiet' : undefined}
        data-ring={`${side}.${kind}`}
        data-used={used ?? undefined}
        data-capacity={capacity ?? undefined}
      >
        {slots.map((slot, i) => (
          <path
            key={i}
            d={sector(x, y, hole, r, i / slots.length, (i + 1) / slots.length)}
            className="slot"
            data-slot={kind === 'rq' && slot === 'used' ? 'posted' : slot}
            style={slot === 'unknown' ? { fill: hatch } : undefined}
          />
        ))}
        {written ? (
          <path
            d={outer(x, y, r, turn(written.slot, each, slots.length))}
            className={written.by}
            data-written={written.slot}
          />
        ) : null}
        {read ? (
          <path
            d={inner(x, y, hole, turn(read.slot, each, slots.length), r >= INNER_FROM)}
            className={cn(read.by, r < INNER_FROM && 'tick')}
            data-read={read.slot}
          />
        ) : null}
        <Text at={label} className="title">
          {ring.label ?? kind.toUpperCase()}
        </Text>
        {fits ? (
          <text
            x={x}
            y={y + (says ? 1 : 4.5)}
            textAnchor="middle"
            className={figure === LARGER ? 'figure' : 'on'}
          >
            {held}
          </text>
        ) : null}
        {says ? (
          <text x={x} y={y + 15} textAnchor="middle" className="of">
            of {many}
          </text>
        ) : null}
        {texts.length > 0 ? <Lines at={note} texts={texts} most={note.lines} className="on" up={up} /> : null}
      </g>
    );
  },
  (a, b) => a.place === b.place && a.quiet === b.quiet && same(a.ring, b.ring),
);

const holeOf = (r: number): number => Math.round(r * 0.62);

/** Middle of a slot as a part of the circle. */
const turn = (slot: number, each: number, drawn: number): number => (Math.floor(slot / each) + 0.5) / drawn;

const at = (x: number, y: number, radius: number, part: number): string => {
  const angle = part * 2 * Math.PI;
  return `${(x + radius * Math.sin(angle)).toFixed(1)} ${(y - radius * Math.cos(angle)).toFixed(1)}`;
};

/** A slot; the only one of a queue is nearly the whole ring. */
function sector(x: number, y: number, hole: number, r: number, from: number, end: number): string {
  const to = end - from === 1 ? end - 0.001 : end;
  const large = to - from > 0.5 ? 1 : 0;
  return (
    `M${at(x, y, r, from)}A${r} ${r} 0 ${large} 1 ${at(x, y, r, to)}` +
    `L${at(x, y, hole, to)}A${hole} ${hole} 0 ${large} 0 ${at(x, y, hole, from)}Z`
  );
}

/** A triangle outside of the ring that points at a slot. */
function outer(x: number, y: number, r: number, part: number): string {
  const half = 4.5 / (2 * Math.PI * (r + 9));
  return `M${at(x, y, r + 1.5, part)}L${at(x, y, r + 9, part - half)}L${at(x, y, r + 9, part + half)}Z`;
}

/** A triangle inside of the ring, or a line where there is no room for one. */
function inner(x: number, y: number, hole: number, part: number, roomy: boolean): string {
  if (!roomy) return `M${at(x, y, hole - 4, part)}L${at(x, y, hole + 3, part)}`;
  const half = 4 / (2 * Math.PI * (hole - 9));
  return `M${at(x, y, hole - 1.5, part)}L${at(x, y, hole - 8, part - half)}L${at(x, y, hole - 8, part + half)}Z`;
}
