'use client';
import { useSyncExternalStore } from 'react';
import type { Box, MachineLayout } from '../model/machine/layout';
import type { Spot, Stage } from '../model/machine/travel';
import type { Player } from './player';
import { slotsOf } from './ring';

type Point = readonly [x: number, y: number];

const middle = ({ x, y, w, h }: Box): Point => [x + w / 2, y + h / 2];

/** Where a spot is drawn; its process when the picture has folded it away. */
function pointOf(layout: MachineLayout, { endpoint, at, object }: Spot): Point | null {
  const process = layout.nodes.find(({ id }) => id === `process ${endpoint}`);
  const head: Point | null = process ? [process.x + process.w - 60, process.y + 14] : null;
  if (at === 'program') return head;
  if (at === 'device') {
    const device = layout.nodes.find(({ id }) => id === `device ${endpoint}`);
    return device ? middle(device) : head;
  }
  const node = layout.nodes.find(({ id }) => id === object);
  if (!node) return head;
  const ring = node.rings.find((one) => one.ring.queue === at || (at === 'RQ' && one.ring.queue === 'SRQ'));
  if (!ring) return middle(node);
  const slots = slotsOf(ring);
  return [slots.x + 8, slots.y + slots.h / 2];
}

/** From spot to spot; between two processes through both devices and over the wire. */
export function pathOf(layout: MachineLayout, { from, to }: Stage): Point[] {
  const ends = [pointOf(layout, from), pointOf(layout, to)];
  if (!ends[0] || !ends[1]) return [];
  if (from.endpoint === to.endpoint) return [ends[0], ends[1]];
  const devices = [from, to].map(({ endpoint }) => pointOf(layout, { endpoint, at: 'device', object: null }));
  return [ends[0], ...devices.filter((one) => one !== null), ends[1]].filter(
    (point, i, all) => i === 0 || point[0] !== all[i - 1]![0] || point[1] !== all[i - 1]![1],
  );
}

const lengthOf = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(bx - ax, by - ay);

/** The point at a part of the way, 0 to 1. */
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

/** The stage that is under way: its path, and what moves along it. `still`: where it arrives, without movement. */
export function TravelOver(props: {
  layout: MachineLayout;
  stages: readonly Stage[];
  player: Player;
  still: boolean;
}) {
  const { layout, stages, player, still } = props;
  const position = useSyncExternalStore(
    player.subscribe,
    () => player.position,
    () => player.stages,
  );
  if (position >= stages.length && !still) return null;
  const index = still ? Math.max(0, Math.ceil(position) - 1) : Math.floor(position);
  const stage = stages[index];
  if (!stage || (still && position >= stages.length)) return null;
  const path = pathOf(layout, stage);
  if (path.length === 0) return null;
  const [x, y] = along(path, still ? 1 : position - index);
  const last = path.at(-1)!;
  return (
    <g aria-hidden pointerEvents="none" data-travel={stage.id}>
      <path
        d={path.map(([px, py], i) => `${i === 0 ? 'M' : 'L'}${px} ${py}`).join('')}
        fill="none"
        stroke="var(--accent)"
        strokeWidth={2}
        strokeDasharray="3 4"
      />
      <circle cx={last[0]} cy={last[1]} r={4} fill="none" stroke="var(--accent)" strokeWidth={2} />
      <circle cx={x} cy={y} r={7} fill="var(--accent)" stroke="var(--page)" strokeWidth={2} />
    </g>
  );
}
