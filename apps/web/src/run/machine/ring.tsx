import type { RingPlace } from '../../model/machine/layout-types';
import { fillText } from '../../model/machine/names';

const LABEL = 34;
/** Longest queue that is drawn slot by slot. */
const SLOTS = 32;
/** Width of text in the 12 px mono font, with some space. */
const widthOf = (text: string): number => text.length * 7.3 + 6;

/** Position of a ring's slots: between its name and its figures. */
function slotsOf({ x, y, w, h, ring }: RingPlace): { x: number; y: number; w: number; h: number } {
  const label = ring.queue === 'CQ' ? 0 : LABEL;
  return { x: x + label, y, w: Math.max(20, w - label - widthOf(fillText(ring)) - 4), h };
}

/** A queue as a row of slots, filled from the left, or as a bar if it is long. Hatched if the fill level is unknown. */
export function RingStrip({ place }: { place: RingPlace }) {
  const { ring, x, y, w, h } = place;
  const { fill, capacity, queue } = ring;
  const box = slotsOf(place);
  const held = fill.is === 'unknown' ? 0 : fill.count;
  const part = capacity === null || capacity === 0 ? (held > 0 ? 1 : 0) : Math.min(1, held / capacity);
  const slots = capacity !== null && capacity <= SLOTS ? capacity : 0;
  return (
    <g data-queue={queue} data-fill={fill.is}>
      {queue === 'CQ' ? null : (
        <text x={x} y={y + h / 2 + 4} className="text-12" fill="var(--ink-3)">
          {queue}
        </text>
      )}
      <rect {...at(box)} fill="var(--page)" />
      {fill.is === 'unknown' && fill.why === 'shared' ? null : fill.is === 'unknown' ? (
        <rect {...at(box)} fill="url(#machine-unknown)" />
      ) : (
        <rect
          {...at(box)}
          width={box.w * part}
          fill="var(--rdma)"
          fillOpacity={fill.is === 'exact' ? 1 : 0.55}
        />
      )}
      {slots > 1
        ? Array.from({ length: slots - 1 }, (_, i) => (
            <line
              key={i}
              x1={box.x + ((i + 1) * box.w) / slots}
              x2={box.x + ((i + 1) * box.w) / slots}
              y1={y}
              y2={y + h}
              stroke="var(--line)"
            />
          ))
        : null}
      <rect {...at(box)} fill="none" stroke="var(--line-strong)" />
      <text
        x={x + w}
        y={y + h / 2 + 4}
        textAnchor="end"
        className="num text-12"
        fill={fill.is === 'unknown' ? 'var(--ink-3)' : 'var(--ink)'}
        data-shows="machine-fill"
      >
        {fillText(ring)}
      </text>
    </g>
  );
}

const at = ({ x, y, w, h }: { x: number; y: number; w: number; h: number }) => ({
  ...{ x, y, width: w, height: h },
});

/** Pattern for an unknown fill level; needed once per drawing. */
export function UnknownPattern() {
  return (
    <pattern
      id="machine-unknown"
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <line x1="0" y1="0" x2="0" y2="6" stroke="var(--line-strong)" strokeOpacity="0.6" strokeWidth="2" />
    </pattern>
  );
}
