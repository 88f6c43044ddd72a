import type { Flow, PictureState, QueueKind, Side } from '../../model/picture/state';
import { cn } from '../../ui/cn';
import { along, lineOf, pathOf, type Geometry, type HostPlace, type Line } from './geometry';
import { widthOf } from './words';

/** The lines of a host along which something can move, and those along which something does. */
export function Flows(props: {
  place: HostPlace;
  moving: readonly Flow[];
  quietData: boolean;
  playing: boolean;
}) {
  const { place, moving, quietData, playing } = props;
  const rings = Object.values(place.rings);
  const control = [...rings.map((ring) => ring.library), ...rings.map((ring) => ring.device), place.doorbell];
  return (
    <>
      {control.map((line, i) => (
        <path key={i} d={pathOf(line)} className="track" />
      ))}
      <path d={pathOf(place.data)} className="track" data-line="data" opacity={quietData ? 0.5 : undefined} />
      {moving.map((flow) => {
        const line = lineOf(place, flow);
        if (!line) return null;
        const data = flow.includes('memory');
        return (
          <g key={flow} data-flow={`${place.side} ${flow}`}>
            <path
              d={pathOf(line)}
              className={data ? 'payload' : cn('control', playing && 'moves')}
              data-line={data ? 'data' : undefined}
            />
            <path d={arrowAt(line)} className={data ? 'head data' : 'head'} />
          </g>
        );
      })}
    </>
  );
}

/** The head of an arrow at the end of a line. */
function arrowAt(line: Line): string {
  const to = line.at(-1)!;
  const from = line.at(-2)!;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const [x, y] = [to.x - 7 * dx, to.y - 7 * dy];
  return `M${to.x} ${to.y}L${x - 3.5 * dy} ${y + 3.5 * dx}L${x + 3.5 * dy} ${y - 3.5 * dx}Z`;
}

/** What is on its way between the parts of a host, such as a WQE. `asks`: a question is open about it. */
export function Items({ geometry, state, asks }: { geometry: Geometry; state: PictureState; asks: boolean }) {
  const keys = state.flows.map(({ side, flow, item }) => `${side} ${flow} ${item}`);
  return state.flows.map(({ side, flow, item, moved, failed = false }, i) => {
    const line = lineOf(geometry.hosts[side], flow);
    if (!line || item === null) return null;
    const text = asks ? `${item} ?` : item;
    const { x, y } = along(line, moved);
    const { shown, w, left } = placed(geometry, side, flow, text, x);
    return (
      <g
        // Several of a kind can be on their way.
        key={`${keys[i]} ${keys.slice(0, i).filter((key) => key === keys[i]).length}`}
        transform={`translate(${left.toFixed(1)} ${y.toFixed(1)})`}
        data-item={item}
        data-flow={`${side} ${flow}`}
      >
        <rect y={-9} width={w} height={18} rx={9} className={failed ? 'item failed' : 'item'} />
        <text x={w / 2} y={4} textAnchor="middle" className="item">
          {shown}
        </text>
      </g>
    );
  });
}

const itemWidth = (text: string): number => Math.round(widthOf(text) + 14);

/** Text, width and left edge of an item. Between the library and a ring it leaves the name of the ring free, and that of the next. */
function placed(
  { hosts, width }: Geometry,
  side: Side,
  flow: Flow,
  text: string,
  x: number,
): { shown: string; w: number; left: number } {
  const middle = (shown: string) => {
    const w = itemWidth(shown);
    return { shown, w, left: Math.max(1, Math.min(width - w - 1, x - w / 2)) };
  };
  const { rings } = hosts[side];
  const own = flow.includes('library') ? rings[flow.replace(/library|>/g, '') as QueueKind] : undefined;
  const free = own ? own.label.x + 3 : -Infinity;
  if (middle(text).left >= free) return middle(text);
  const names = Object.entries(rings).map(([kind, { label }]) => label.x - widthOf(kind.toUpperCase()));
  const end = Math.min(width, ...names.filter((name) => name > x));
  const shown = free + itemWidth(text) + 4 < end ? text : (/[\d?].*$/.exec(text)?.[0] ?? text);
  return { shown, w: itemWidth(shown), left: free };
}
