import { memo } from 'react';
import type { RulerState, Side } from '../../model/picture/state';
import type { HostPlace } from './geometry';
import { same } from './same';
import { Lines, Text } from './text';
import { cut, widthOf } from './words';

/** Cells of the bar, and those of the region among them. */
const CELLS = 26;
const FIRST = 3;
const LAST = 23;
/** A part outside of the region is drawn at least this wide. */
const OVERSHOOT = 11;

interface RulerProps {
  place: HostPlace['memory'];
  ruler: RulerState | null;
  side: Side;
  /** Regions that are not drawn. */
  more: number;
  quiet: boolean;
  hatchError: string;
}

/** A memory region as a range on a ruler of addresses: its bytes, and the range that a request names. */
export const Ruler = memo(
  function Ruler({ place, ruler, side, more, quiet, hatchError }: RulerProps) {
    const { bar, end } = place;
    const first = bar.y - (bar.h < 20 ? 29 : 31);
    const touch = ruler?.touched ? touchOf(place, ruler) : null;
    const room = end - bar.x - 54;
    const scale = touch?.scale
      ? [`overshoot ${touch.scale}`, touch.scale].find((text) => widthOf(text) <= room)
      : null;
    const beside = [more > 0 ? `and ${more} more` : null, scale].filter(Boolean).join(', ');
    return (
      <g className={quiet ? 'quiet' : undefined} data-memory={side}>
        <Text at={{ x: bar.x, y: first, w: end - bar.x }}>Memory</Text>
        {beside ? (
          <Text at={{ x: bar.x + 54, y: first, w: room }} className="mid">
            {beside}
          </Text>
        ) : null}
        <rect x={bar.x} y={bar.y} width={bar.w} height={bar.h} className="ruler" />
        {ruler ? (
          <Region place={place} ruler={ruler} />
        ) : (
          <Text at={{ x: bar.x, y: bar.y - 14, w: end - bar.x }}>
            {beside ? 'no region named' : 'no region'}
          </Text>
        )}
        {ruler && touch ? (
          <>
            {touch.outside.map(([from, to]) => (
              <rect
                key={from}
                data-overshoot
                x={from}
                y={bar.y - 3}
                width={to - from}
                height={bar.h + 6}
                className="overshoot"
                style={{ fill: hatchError }}
              />
            ))}
            <path
              d={`M${touch.from} ${bar.y + bar.h + 4}v6H${touch.to}v-6`}
              className={touch.bad ? 'bracket bad' : 'bracket named'}
              data-touched={`${ruler.touched!.from} ${ruler.touched!.to}`}
            />
            <Lines
              at={{
                ...{ y: bar.y + bar.h + 23, w: end - bar.x },
                x: Math.max(bar.x, Math.min(touch.from, end - widthOf(ruler.touched!.text))),
              }}
              texts={[ruler.touched!.text]}
              most={place.lines}
              className={touch.bad ? 'bad' : 'named'}
            />
          </>
        ) : null}
        {ruler?.address && (place.roomy || !touch) ? (
          <Text at={{ x: bar.x, y: bar.y + bar.h + (place.roomy ? 40 : 20), w: end - bar.x }} mono>
            {ruler.address}
          </Text>
        ) : null}
      </g>
    );
  },
  (a, b) => a.place === b.place && a.quiet === b.quiet && a.more === b.more && same(a.ruler, b.ruler),
);

/** Name and rights above the region, and its bytes. */
function Region({ place, ruler }: { place: HostPlace['memory']; ruler: RulerState }) {
  const { bar, end } = place;
  const { title, rights, filled, length, registered } = ruler;
  const { left, right, x } = scaleOf(place, length);
  const cells = length > 0 && length < LAST - FIRST ? length : LAST - FIRST;
  const lines = Array.from({ length: cells - 1 }, (_, i) => left + ((i + 1) * (right - left)) / cells);
  // A long name begins left of its region.
  const start = Math.max(bar.x, Math.min(left, end - widthOf(title, true)));
  const after = start + widthOf(cut(title, end - start, true), true) + 7;
  return (
    <>
      <Text at={{ x: start, y: bar.y - 14, w: end - start }} className="on" mono>
        {title}
      </Text>
      {rights && end - after > 60 ? (
        <Text at={{ x: after, y: bar.y - 14, w: end - after }}>{rights}</Text>
      ) : null}
      <path d={`M${left} ${bar.y - 4}v-5H${right}v5`} className="span" />
      <rect
        x={left}
        y={bar.y}
        width={right - left}
        height={bar.h}
        className="region"
        strokeDasharray={registered ? undefined : '3 3'}
      />
      <path d={lines.map((at) => `M${at.toFixed(1)} ${bar.y + 1}v${bar.h - 2}`).join('')} className="sep" />
      {filled.map(({ from, to, faint }) => (
        <rect
          key={from}
          data-filled={`${from} ${to}`}
          x={x(from) + 1}
          y={bar.y + 1}
          width={Math.max(1, x(to) - x(from) - 2)}
          height={bar.h - 2}
          className={faint ? 'bytes faint' : 'bytes'}
        />
      ))}
      {filled.length > 0 ? (
        <path
          d={lines.map((at) => `M${at.toFixed(1)} ${bar.y + 1}v${bar.h - 2}`).join('')}
          className="cells"
        />
      ) : null}
    </>
  );
}

/** Ends of the region on the ruler, and the place of one of its bytes, which may lie beyond the ruler. */
function scaleOf({ bar }: HostPlace['memory'], length: number) {
  const left = bar.x + (bar.w * FIRST) / CELLS;
  const right = bar.x + (bar.w * LAST) / CELLS;
  const x = (byte: number): number => left + ((right - left) * byte) / Math.max(1, length);
  return { left, right, x };
}

/** Where the named range begins and ends on the ruler, and its parts outside of the region. */
export function touchOf(place: HostPlace['memory'], { length, touched }: RulerState) {
  const { left, right, x } = scaleOf(place, length);
  const { from, to, refused } = touched!;
  const start = place.bar.x;
  const end = place.bar.x + place.bar.w;
  const outside: [number, number][] = [];
  if (from < 0) {
    const to0 = Math.max(start + OVERSHOOT, Math.min(left, x(to)));
    outside.push([Math.max(start, Math.min(x(from), to0 - OVERSHOOT)), to0]);
  }
  if (to > length) {
    const from0 = Math.min(end - OVERSHOOT, Math.max(right, x(from)));
    outside.push([from0, Math.min(end, Math.max(x(to), from0 + OVERSHOOT))]);
  }
  const under = from < 0 ? outside[0] : undefined;
  const over = to > length ? outside.at(-1) : undefined;
  const first = under?.[0] ?? Math.min(x(from), over?.[0] ?? Infinity);
  const last = over?.[1] ?? Math.max(x(to), under?.[1] ?? 0, first + 2);
  const larger = (over && last > x(to) + 1) || (under && first < x(from) - 1);
  const smaller = (over && last < x(to) - 1) || (under && first > x(from) + 1);
  return {
    ...{ from: first, to: last, outside },
    bad: refused || outside.length > 0,
    scale: smaller ? 'not to scale' : larger ? 'drawn larger' : null,
  };
}
