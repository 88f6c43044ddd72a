/** Where the parts of a machine are drawn, in pixels. */
import { LOCAL_HOST } from '@verbslab/protocol';
import { count } from '../../../format/number';
import type { Ring } from './fills';
import type { Machine, MachinePart, MachineProcess } from './machine';
import { headline, nameOf } from './names';

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface RingPlace extends Box {
  ring: Ring;
}

/** Something that can be chosen. */
export interface MachineNode extends Box {
  /** Of an object its own; of others what they stand for. */
  id: string;
  what: 'process' | 'device' | 'object' | 'group';
  endpoint: string;
  kind: string;
  label: string;
  /** Beside the label, muted. */
  note: string;
  part: MachinePart | null;
  rings: readonly RingPlace[];
  /** Of a group, and of a process that is folded: its objects. */
  members: readonly MachinePart[];
  /** Drawn around others: its label stands at the top. */
  frame: boolean;
}

export interface Frame extends Box {
  title: string;
}

export interface MachineLayout {
  width: number;
  height: number;
  frames: readonly Frame[];
  nodes: readonly MachineNode[];
  /** From device to device; undefined where it is not drawn. */
  wire: { from: readonly [number, number]; to: readonly [number, number]; down: boolean } | undefined;
}

export interface LayoutOptions {
  width: number;
  program: boolean;
  titleOf: (endpoint: string) => string;
  hostOf: (name: string) => string;
  /** Endpoints from left to right; others come after them. */
  order: readonly string[];
  /** Process to open where not all fit; by default the one with most objects. */
  opened: string | null;
  /** Object that must be drawn even where a group is folded. */
  selected: string | null;
}

/** From here on two processes stand side by side. */
const WIDE = 700;
/** Width of the only process of a run at most. */
const ALONE = 720;
const ROW = 34;
/** A region, with what it is below its name. */
const REGION = 46;
const RING = 24;
const GAP = 6;
const PAD = 8;
/** Objects of a kind that are drawn before the rest is folded. */
const SHOWN = 3;
/** Kinds that are drawn as a number of them. */
const COUNTED = ['AH', 'MW', 'ID', 'completion channel', 'event channel'];
const INNER = ['MR', 'QP', 'SRQ'];

export function layoutMachine(machine: Machine, options: LayoutOptions): MachineLayout {
  const rank = (endpoint: string): number => {
    const at = options.order.indexOf(endpoint);
    return at < 0 ? Infinity : at;
  };
  const processes = machine.hosts
    .flatMap(({ name, processes: some }) => some.map((process) => ({ ...process, host: name })))
    .sort((a, b) => {
      const [one, other] = [rank(a.endpoint), rank(b.endpoint)];
      return one === other ? 0 : one - other;
    });
  if (processes.length > 2) return folded(processes, machine, options);
  const { width } = options;
  const side = width >= WIDE && processes.length === 2;
  const single = machine.hosts.length < 2;
  const frame = width >= WIDE ? 12 : 0;
  const top = frame > 0 ? 26 : 0;
  const between = side ? 150 : 64;
  const room = (width - 2 * frame - (side ? between + (single ? 0 : 2 * frame) : 0)) / (side ? 2 : 1);
  const alone = processes.length === 1 && width >= WIDE;
  const w = alone ? Math.min(room - between, ALONE) : room;
  const first = processes[0] ? place(processes[0], w, false, options) : null;
  const second = processes[1] ? place(processes[1], w, side, options) : null;
  if (!first) return { width, height: 0, frames: [], nodes: [], wire: undefined };
  const nodes: MachineNode[] = [];
  const frames: Frame[] = [];
  const titleOf = (index: number): string => options.hostOf(processes[index]!.host);
  if (side && second) {
    const h = Math.max(first.height, second.height);
    const x = width - frame - w;
    nodes.push(...first.at(frame, top, h), ...second.at(x, top, h));
    const bottom = top + h + frame;
    if (single) frames.push({ x: 0, y: 0, w: width, h: bottom, title: titleOf(0) });
    else
      frames.push(
        { x: 0, y: 0, w: w + 2 * frame, h: bottom, title: titleOf(0) },
        { x: x - frame, y: 0, w: w + 2 * frame, h: bottom, title: titleOf(1) },
      );
    const y = top + h - PAD - ROW / 2;
    return {
      ...{ width, height: bottom, frames, nodes },
      wire: { from: [frame + w - PAD, y], to: [x + PAD, y], down: false },
    };
  }
  nodes.push(...first.at(frame, top, first.height));
  let height = top + first.height + frame;
  let wire: MachineLayout['wire'];
  if (second) {
    const y = top + first.height + between;
    nodes.push(...second.at(frame, y, second.height));
    height = y + second.height + frame;
    wire = { from: [width / 4, top + first.height - PAD], to: [width / 4, y], down: true };
  } else if (alone) {
    const y = top + first.height - PAD - ROW / 2;
    wire = { from: [frame + w - PAD, y], to: [frame + w + between + 12, y], down: false };
  }
  if (frame > 0 && single)
    frames.push({ x: 0, y: 0, w: alone ? w + 2 * frame : width, h: height, title: titleOf(0) });
  return { width, height, frames, nodes, wire };
}

const most = (processes: readonly MachineProcess[]): string | null =>
  processes.reduce<MachineProcess | null>(
    (best, one) => (best && best.parts.length >= one.parts.length ? best : one),
    null,
  )?.endpoint ?? null;

/** More than two processes: one is open, the others are boxes to open. */
function folded(
  processes: readonly (MachineProcess & { host: string })[],
  { wires }: Machine,
  options: LayoutOptions,
): MachineLayout {
  const { width, program } = options;
  const wide = width >= WIDE;
  const opened = processes.find(({ endpoint }) => endpoint === options.opened)
    ? options.opened
    : most(processes);
  const open = processes.find(({ endpoint }) => endpoint === opened)!;
  const rest = processes.filter((one) => one !== open);
  const connections = (endpoint: string): string => {
    const n = wires.find(({ ends }) => ends.includes(endpoint) && ends.includes(opened!))?.qps ?? 0;
    const name = options.titleOf(opened!);
    return n === 0 || columns > 1 ? '' : `${count(n)} ${n === 1 ? 'connection' : 'connections'} to ${name}`;
  };
  const gap = 16;
  const w = wide ? (width - gap) * 0.56 : width;
  const placed = place(open, w, false, { ...options, program });
  const nodes: MachineNode[] = [...placed.at(0, 0, placed.height)];
  const columns = (wide && rest.length > 5) || (!wide && rest.length > 3) ? 2 : 1;
  const from = wide ? w + gap : 0;
  const space = wide ? width - w - gap : width;
  const cw = (space - (columns - 1) * GAP) / columns;
  const ch = 52;
  const top = wide ? 0 : placed.height + gap;
  rest.forEach((one, i) => {
    nodes.push({
      ...{ id: `process ${one.endpoint}`, what: 'process', endpoint: one.endpoint, kind: 'process' },
      x: from + (i % columns) * (cw + GAP),
      y: top + Math.floor(i / columns) * (ch + GAP),
      ...{ w: cw, h: ch, frame: true, part: null, rings: [], members: one.parts },
      label: options.titleOf(one.endpoint),
      note: [contents(one.parts), connections(one.endpoint)].filter(Boolean).join('; '),
    });
  });
  const rows = Math.ceil(rest.length / columns);
  const height = Math.max(placed.height, top + rows * (ch + GAP));
  return { width, height, frames: [], nodes, wire: undefined };
}

/** `2 QPs, 1 CQ`. */
export function contents(parts: readonly MachinePart[]): string {
  const said = ['QP', 'SRQ', 'CQ', 'MR'].flatMap((kind) => {
    const n = parts.filter((one) => one.kind === kind && !one.gone).length;
    return n === 0 ? [] : [`${count(n)} ${kind}${n === 1 ? '' : 's'}`];
  });
  return said.length === 0 ? 'no objects' : said.join(', ');
}

interface Placed {
  height: number;
  /** Moved to a place, and as high as another one beside it. */
  at: (x: number, y: number, height: number) => MachineNode[];
}

function place(
  process: MachineProcess & { host: string },
  w: number,
  mirrored: boolean,
  options: LayoutOptions,
): Placed {
  const { program, titleOf, hostOf, selected } = options;
  const { endpoint, parts } = process;
  const nodes: MachineNode[] = [];
  const node = (box: Box, more: Partial<MachineNode>): void => {
    nodes.push({
      ...{ id: '', what: 'object', endpoint, kind: '', label: '', note: '', part: null },
      ...{ rings: [], members: [], frame: false, ...box, ...more },
    });
  };
  const object = (part: MachinePart, box: Box, rings: readonly RingPlace[], frame = false): void =>
    node(box, {
      ...{ id: part.id, kind: part.kind, part, rings, frame },
      label: nameOf(part, program),
      note: headline(part),
    });

  /** What a column holds, from `y` on; returns where it ends. */
  const column = (list: readonly MachinePart[], x: number, width: number, from: number): number => {
    let y = from;
    for (const kind of INNER) {
      const all = list.filter((one) => one.kind === kind);
      for (const part of drawn(all, selected)) {
        const h = kind === 'MR' ? REGION : 30 + part.rings.length * RING + 4;
        object(
          part,
          { x, y, w: width, h },
          part.rings.map((ring, i) => ({
            ring,
            x: x + PAD,
            y: y + 30 + i * RING,
            w: width - 2 * PAD,
            h: RING - 6,
          })),
        );
        y += h + GAP;
      }
      y = rest(kind, all, { x, y, w: width, h: ROW });
    }
    return y;
  };
  const rest = (kind: string, all: readonly MachinePart[], box: Box): number => {
    if (all.length <= SHOWN) return box.y;
    node(box, {
      ...{ id: `group ${endpoint} ${kind} ${all[0]!.parent ?? ''}`, what: 'group', kind, members: all },
      label: `${count(all.length)} ${kind}s, ${SHOWN} shown`,
    });
    return box.y + ROW + GAP;
  };

  let y = 30;
  const inner = w - 2 * PAD;
  const pds = parts.filter(({ kind }) => kind === 'PD');
  const held = new Set(pds.map(({ id }) => id));
  const innerOf = (pd: string | null): MachinePart[] =>
    parts.filter(
      (one) => INNER.includes(one.kind) && (pd === null ? !held.has(one.parent ?? '') : one.parent === pd),
    );
  for (const pd of [...drawn(pds, selected).map(({ id }) => id), null]) {
    const list = innerOf(pd);
    if (pd === null && list.length === 0) continue;
    const start = y;
    const index = nodes.length;
    const x = PAD + (pd === null ? 0 : PAD);
    const width = inner - (pd === null ? 0 : 2 * PAD);
    y += pd === null ? 0 : 28;
    if (width >= 400) {
      const memory = Math.round(width * 0.38);
      const queues = width - memory - GAP;
      const mrs = list.filter(({ kind }) => kind === 'MR');
      const others = list.filter(({ kind }) => kind !== 'MR');
      const a = column(mrs, mirrored ? x + queues + GAP : x, memory, y);
      const b = column(others, mirrored ? x : x + memory + GAP, queues, y);
      y = Math.max(a, b);
    } else y = column(list, x, width, y);
    if (pd === null) continue;
    if (list.length === 0) y += 2;
    const part = pds.find(({ id }) => id === pd)!;
    object(part, { x: PAD, y: start, w: inner, h: y - start + 2 }, [], true);
    // Around its objects, so before them.
    nodes.splice(index, 0, nodes.pop()!);
    y += GAP + 2;
  }
  y = rest('PD', pds, { x: PAD, y, w: inner, h: ROW });
  const cqs = parts.filter(({ kind }) => kind === 'CQ');
  for (const cq of drawn(cqs, selected)) {
    object(
      cq,
      { x: PAD, y, w: inner, h: ROW },
      cq.rings.map((ring) => ({ ring, x: PAD + 76, y: y + 8, w: inner - 76 - PAD, h: ROW - 16 })),
    );
    y += ROW + GAP;
  }
  y = rest('CQ', cqs, { x: PAD, y, w: inner, h: ROW });
  const counted = COUNTED.map((kind) => [kind, parts.filter((one) => one.kind === kind)] as const).filter(
    ([, some]) => some.length > 0,
  );
  if (counted.length > 0) {
    const cw = (inner - (counted.length - 1) * GAP) / counted.length;
    counted.forEach(([kind, some], i) =>
      node(
        { x: PAD + i * (cw + GAP), y, w: cw, h: ROW },
        {
          ...{ id: `group ${endpoint} ${kind} `, what: 'group', kind, members: some },
          label: `${count(some.length)} ${kind}${some.length === 1 ? '' : 's'}`,
        },
      ),
    );
    y += ROW + GAP;
  }
  const height = y + ROW + PAD + 2;
  return {
    height,
    at: (x, top, h) => {
      const title = [
        process.pid === null ? '' : `pid ${process.pid}`,
        options.width < WIDE ? hostOf(process.host).replace(/^T/, 't') : '',
      ]
        .filter(Boolean)
        .join(', ');
      const all: MachineNode[] = [
        {
          ...{ id: `process ${endpoint}`, what: 'process', endpoint, kind: 'process', part: null, rings: [] },
          ...{ x: 0, y: 0, w, h, frame: true, members: parts, label: titleOf(endpoint) },
          note: titleOf(endpoint) === endpoint && endpoint.startsWith('pid ') ? '' : title,
        },
        ...nodes,
        {
          ...{ id: `device ${endpoint}`, what: 'device', endpoint, kind: 'device', part: null, rings: [] },
          ...{ x: PAD, y: h - ROW - PAD, w: inner, h: ROW, frame: false, members: [] },
          label: process.device || 'device',
          note: 'device',
        },
      ];
      return all.map((one) => ({
        ...one,
        x: one.x + x,
        y: one.y + top,
        rings: one.rings.map((ring) => ({ ...ring, x: ring.x + x, y: ring.y + top })),
      }));
    },
  };
}

/** The first of a kind, and the chosen one. */
function drawn(all: readonly MachinePart[], selected: string | null): readonly MachinePart[] {
  if (all.length <= SHOWN) return all;
  const first = all.slice(0, SHOWN);
  const chosen = all.find(({ id }) => id === selected);
  return chosen && !first.includes(chosen) ? [...first.slice(0, -1), chosen] : first;
}

/** `this host`, or the name of another. */
export const hostTitle = (name: string): string => (name === LOCAL_HOST ? 'This host' : `Host ${name}`);

/** The node that the arrow keys lead to from another: the nearest in that direction. */
export function towards(nodes: readonly MachineNode[], from: MachineNode, key: string): MachineNode | null {
  const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!by) return null;
  const [dx, dy] = by as [number, number];
  // Frames are entered at their upper left corner.
  const middle = ({ x, y, w, h, frame }: MachineNode) => (frame ? [x + 20, y + 14] : [x + w / 2, y + h / 2]);
  const [fx, fy] = middle(from) as [number, number];
  let best: MachineNode | null = null;
  let least = Infinity;
  for (const node of nodes) {
    if (node === from) continue;
    const [x, y] = middle(node) as [number, number];
    const along = (x - fx) * dx + (y - fy) * dy;
    const beside = Math.abs((x - fx) * dy) + Math.abs((y - fy) * dx);
    if (along <= 1) continue;
    const far = along + 2 * beside;
    if (far < least) {
      least = far;
      best = node;
    }
  }
  return best;
}
