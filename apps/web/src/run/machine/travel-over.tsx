'use client';
import type { Box, MachineLayout, Point } from '../../model/machine/layout-types';
import type { Spot, Stage, Travel } from '../../model/machine/travel';
import type { Player } from './player';
import { slotsOf } from './ring';
import { usePlayer } from './use-player';

const middle = ({ x, y, w, h }: Box): Point => [x + w / 2, y + h / 2];

const near = (to: Point, points: readonly Point[]): Point =>
  points.reduce((best, one) => (lengthOf(one, to) < lengthOf(best, to) ? one : best));

/** Position of a spot, or of its process if that is folded. */
function pointOf(layout: MachineLayout, { endpoint, at, object }: Spot): Point | null {
  const { wire, nodes } = layout;
  const process = nodes.find(({ id }) => id === `process ${endpoint}`);
  if (!process) return null;
  const device = nodes.find(({ id }) => id === `device ${endpoint}`);
  // Everything in a folded process is at the end of its wire.
  if (!device) return [process.x, process.y + process.h / 2];
  if (at === 'program') return [process.x + process.w - 60, process.y + 14];
  if (at === 'device') return wire ? near(middle(device), [wire.from, wire.to]) : middle(device);
  if (at === 'lost') return wire ? halfway(wire.from, wire.to) : middle(device);
  const node = nodes.find(({ id }) => id === object);
  if (!node) return middle(device);
  const ring = node.rings.find((one) => one.ring.queue === at || (at === 'RQ' && one.ring.queue === 'SRQ'));
  // A point from which the path to the device crosses no text.
  const part = wire?.down ? 0.95 : device.turned ? 0.25 : 0.75;
  if (!ring) return [node.x + node.w * part, node.y + node.h - 8];
  const slots = slotsOf(ring);
  return [slots.x + 8, slots.y + slots.h / 2];
}

const halfway = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2];

/** Corner of the path from a place in a process to its device. */
const corner = (layout: MachineLayout, place: Point, device: Point): Point =>
  layout.wire?.down ? [device[0], place[1]] : [place[0], device[1]];

/** Path from spot to spot; between two processes it leads through both devices and over the wire. */
export function pathOf(layout: MachineLayout, { from, via, to }: Stage): Point[] {
  const start = pointOf(layout, from);
  const end = pointOf(layout, to);
  if (!start || !end) return [];
  if (from.endpoint === to.endpoint) return [start, end];
  const [out, into] = [from, to].map(({ endpoint }) =>
    pointOf(layout, { endpoint, at: 'device', object: null }),
  );
  if (!out || !into) return [];
  const stop = via && pointOf(layout, via);
  const { wire } = layout;
  const bus: Point[] =
    wire && wire.branches.length > 0 ? [out, into].map(([, y]): Point => [wire.to[0], y]) : [];
  const points =
    to.at === 'lost'
      ? [start, corner(layout, start, out), out, end]
      : [
          ...[start, corner(layout, start, out), out, ...bus, into],
          ...[corner(layout, stop ?? end, into), ...(stop ? [stop] : []), end],
        ];
  return points.filter(
    (point, i, all) => i === 0 || point[0] !== all[i - 1]![0] || point[1] !== all[i - 1]![1],
  );
}

const lengthOf = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(bx - ax, by - ay);

/** Point at a fraction of the path, 0 to 1. */
export function along(path: readonly Point[], part: number): Point {
  const total = path.slice(1).reduce((sum, point, i) => sum + lengthOf(path[i]!, point), 0);
  let left = total * part;
  for (let i = 1; i < path.length; i++) {
    const [a, b] = [path[i - 1]!, path[i]!];
    const length = lengthOf(a, b);
    if (left <= length && length > 0)
      return [a[0] + ((b[0] - a[0]) * left) / length, a[1] + ((b[1] - a[1]) * left) / length];
    left -= length;
  }
  return path.at(-1) ?? [0, 0];
}

/** The current stage: its path, the item that moves along it, and the bytes that have arrived. */
export function TravelOver(props: { layout: MachineLayout; travel: Travel; player: Player }) {
  const { layout, travel, player } = props;
  const { stages, landing } = travel;
  const position = usePlayer(player, (one) => one.position);
  const rests = usePlayer(player, (one) => one.rests);
  const landed = <Landed layout={layout} into={landing?.into ?? null} bytes={landedAt(stages, position)} />;
  const index = usePlayer(player, (one) => one.stage);
  const stage = rests ? undefined : stages[index];
  const path = stage ? pathOf(layout, stage) : [];
  if (!stage || path.length === 0) return landed;
  const [x, y] = along(path, position - index);
  const last = path.at(-1)!;
  return (
    <>
      {landed}
      <g aria-hidden pointerEvents="none" data-travel={stage.id}>
        <path
          d={path.map(([px, py], i) => `${i === 0 ? 'M' : 'L'}${px} ${py}`).join('')}
          fill="none"
          stroke="var(--accent)"
          strokeWidth={2}
          strokeDasharray="3 4"
        />
        {stage.to.at === 'lost' ? (
          <text x={last[0]} y={last[1] + 5} textAnchor="middle" fill="var(--error-ink)" fontWeight={600}>
            ×
          </text>
        ) : (
          <circle cx={last[0]} cy={last[1]} r={4} fill="none" stroke="var(--accent)" strokeWidth={2} />
        )}
        <circle cx={x} cy={y} r={7} fill="var(--accent)" stroke="var(--page)" strokeWidth={2} />
      </g>
    </>
  );
}

/** Payload bytes at their destination, by the number of finished stages. */
export const landedAt = (stages: readonly Stage[], position: number): number =>
  stages[Math.min(stages.length, Math.floor(position)) - 1]?.landed ?? 0;

/** Bytes of the request in their destination region. */
function Landed(props: {
  layout: MachineLayout;
  into: NonNullable<Travel['landing']>['into'];
  bytes: number;
}) {
  const { layout, into, bytes } = props;
  const node = layout.nodes.find(({ id }) => id === into?.region.id);
  if (!into || !node) return null;
  const length = Number(into.region.attrs.length);
  const scale = (node.w - 16) / length;
  const box = { y: node.y + node.h - 10, height: 5 };
  return (
    <g aria-hidden pointerEvents="none" data-landed={bytes}>
      <rect {...box} x={node.x + 8} width={node.w - 16} fill="var(--page)" stroke="var(--line-strong)" />
      {bytes > 0 ? (
        <rect
          {...box}
          x={node.x + 8 + into.offset * scale}
          width={Math.max(1, bytes * scale)}
          fill="var(--rdma)"
        />
      ) : null}
    </g>
  );
}
