/** Positions of the hosts, switches and links of a simulated fabric in a drawing. Lengths in pixels. */
import { plural } from '@verbslab/labs';
import type { LabFabric } from '@verbslab/protocol';

export interface FabricBox {
  kind: 'host' | 'switch';
  x: number;
  y: number;
  w: number;
  label: string;
  /** True for hosts that send, or receive. */
  sends: boolean;
  receives: boolean;
  /** True where the signs of what it does stand above it, because its link leaves below. */
  linkBelow: boolean;
}

export interface FabricLink {
  from: readonly [x: number, y: number];
  to: readonly [x: number, y: number];
  /** Number of flows that cross it, either way; null if a hash decides, or all hosts send to each other. */
  flows: number | null;
}

export interface FabricDrawing {
  height: number;
  boxes: readonly FabricBox[];
  links: readonly FabricLink[];
}

export const BOX_HEIGHT = 26;
/** From one tier to the next, and from a single switch to its hosts. */
const [TIER, ONE_TIER] = [130, 190];
const SWITCH = 84;
/** Room for the signs below a host. */
const SIGNS = 18;
const GAP = 8;
/** Narrowest host that is drawn by itself. */
const NARROWEST = 24;
/** Hosts of a switch that are drawn where there is no room for all. */
const SOME = 7;
/** Radius of a ring of switches, and of the hosts around it. */
const [INNER, OUTER] = [80, 160];

/** Hosts that share a box. */
interface Group {
  first: number;
  count: number;
}

const inGroup = ({ first, count }: Group, host: number): boolean => host >= first && host < first + count;

function label({ first, count }: Group, width: number): string {
  if (count > 1) return width < 64 ? `${count}` : plural(count, 'host');
  return width < 56 ? `${first}` : `host ${first}`;
}

/** Boxes for the hosts of one switch: each by itself; or the first ones, the rest and the last; or all in one. */
function groupsOf(first: number, count: number, room: number): Group[] {
  const most = Math.floor(room / NARROWEST);
  const single = (host: number): Group => ({ first: host, count: 1 });
  if (count <= most && count <= 20) return Array.from({ length: count }, (_, i) => single(first + i));
  if (most < SOME + 3) return [{ first, count }];
  return [
    ...Array.from({ length: SOME }, (_, i) => single(first + i)),
    { first: first + SOME, count: count - SOME - 1 },
    single(first + count - 1),
  ];
}

type Flows = NonNullable<LabFabric['flows']>;

function hostBox(group: Group, flows: Flows, place: { x: number; y: number; w: number }): FabricBox {
  return {
    ...{ kind: 'host', ...place, label: label(group, place.w) },
    sends: flows.some(([from]) => inGroup(group, from)),
    receives: flows.some(([, to]) => inGroup(group, to)),
    linkBelow: false,
  };
}

const switchBox = (x: number, y: number, w: number): FabricBox => ({
  ...{ kind: 'switch', x: x - w / 2, y, w, label: w < 52 ? '' : 'switch' },
  ...{ sends: false, receives: false, linkBelow: false },
});

const crossing = (flows: Flows, of: (host: number) => boolean): number =>
  flows.filter(([from, to]) => of(from) !== of(to)).length;

/** Two hosts and a link. */
function backToBack({ flows = [] }: LabFabric, width: number): FabricDrawing {
  const w = Math.min(120, width / 4);
  const boxes = [0, 1].map((host) =>
    hostBox({ first: host, count: 1 }, flows, { x: host === 0 ? 0 : width - w, y: 8, w }),
  );
  const y = 8 + BOX_HEIGHT / 2;
  return {
    height: 8 + BOX_HEIGHT + SIGNS,
    boxes,
    links: [{ from: [w, y], to: [width - w, y], flows: flows.length }],
  };
}

/** Switches in a ring, with their hosts outside. */
function ring({ tiers, hosts, flows = [] }: LabFabric, width: number): FabricDrawing {
  const count = tiers[0]!;
  const [cx, cy] = [width / 2, 190];
  const w = Math.min(SWITCH, width / 5.5);
  /** Width of the ring of hosts over its height. */
  const flat = Math.min(1.5, (width - w) / 2 / OUTER);
  const at = (i: number, radius: number): [number, number] => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    return [cx + flat * radius * Math.cos(angle), cy + radius * Math.sin(angle)];
  };
  const all = Array.from({ length: count }, (_, i) => i);
  const ofSwitch = (host: number): number => Math.floor(host / hosts);
  const steps = (from: number, to: number): number => (to - from + count) % count;
  return {
    height: 2 * cy,
    boxes: all.flatMap((i) => {
      const [sx, sy] = at(i, INNER);
      const [hx, hy] = at(i, OUTER);
      const group = { first: i * hosts, count: hosts };
      return [
        switchBox(sx, sy - BOX_HEIGHT / 2, w),
        {
          ...hostBox(group, flows, { x: hx - w / 2, y: hy - BOX_HEIGHT / 2, w }),
          linkBelow: hy < sy,
        },
      ];
    }),
    links: all.flatMap((i): FabricLink[] => [
      {
        ...{ from: at(i, INNER), to: at((i + 1) % count, INNER) },
        flows: flows.filter(([a, b]) => steps(ofSwitch(a), i) < steps(ofSwitch(a), ofSwitch(b))).length,
      },
      { from: at(i, INNER), to: at(i, OUTER), flows: crossing(flows, (host) => ofSwitch(host) === i) },
    ]),
  };
}

export function drawFabric(fabric: LabFabric, width: number): FabricDrawing {
  const { tiers, hosts, flows } = fabric;
  if (tiers.length === 0) return backToBack(fabric, width);
  if (fabric.ring) return ring(fabric, width);
  const leaves = tiers[0]!;
  const yOf = (tier: number): number => 4 + (tiers.length - 1 - tier) * TIER;
  const hostsY = yOf(0) + (tiers.length === 1 ? ONE_TIER : TIER);
  const leafRoom = (width - GAP * (leaves - 1)) / leaves;
  const xOf = (tier: number, i: number): number =>
    tier === 0 ? i * (leafRoom + GAP) + leafRoom / 2 : (width * (i + 0.5)) / tiers[tier]!;
  const boxes = tiers.flatMap((count, tier) => {
    const w = Math.min(SWITCH, width / count - GAP);
    return Array.from({ length: count }, (_, i) => switchBox(xOf(tier, i), yOf(tier), w));
  });
  const links: FabricLink[] = [];
  for (let leaf = 0; leaf < leaves; leaf++) {
    const groups = groupsOf(leaf * hosts, hosts, leafRoom);
    const slot = leafRoom / groups.length;
    for (const [i, group] of groups.entries()) {
      const w = Math.min(100, slot - 4);
      const x = xOf(0, leaf) - leafRoom / 2 + slot * (i + 0.5);
      boxes.push(hostBox(group, flows ?? [], { x: x - w / 2, y: hostsY, w }));
      links.push({
        ...{ from: [x, hostsY], to: [xOf(0, leaf), yOf(0) + BOX_HEIGHT] },
        flows: flows ? crossing(flows, (host) => inGroup(group, host)) : null,
      });
    }
  }
  for (let tier = 0; tier + 1 < tiers.length; tier++)
    for (let low = 0; low < tiers[tier]!; low++)
      for (let high = 0; high < tiers[tier + 1]!; high++)
        links.push({
          ...{ from: [xOf(tier, low), yOf(tier)], to: [xOf(tier + 1, high), yOf(tier + 1) + BOX_HEIGHT] },
          flows:
            flows && tier === 0 && tiers[1] === 1
              ? crossing(flows, (host) => Math.floor(host / hosts) === low)
              : null,
        });
  return { height: hostsY + BOX_HEIGHT + SIGNS, boxes, links };
}
