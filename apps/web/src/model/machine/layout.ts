/** Layout of the processes of a machine, in pixels. */
import { plural } from '@verbslab/labs';
import { LOCAL_HOST } from '@verbslab/protocol';
import type { Frame, LayoutOptions, MachineLayout, MachineNode, Wire } from './layout-types';
import type { Machine, MachinePart, MachineProcess } from './machine';
import { GAP, PAD, place, ROW, TITLE, WIDE } from './process-layout';

/** Largest width of the only process of a run. */
const ALONE = 720;
/** Space between a process and the folded ones, for the wire and its name. */
const BUS = 128;
/** Space beside the only process for the wire and its destination, and the length of the wire. */
const OUTSIDE = 136;
const STUB = 64;

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
  const w = alone ? Math.min(room - OUTSIDE, ALONE) : room;
  const first = processes[0] ? place(processes[0], w, 'first', options) : null;
  const second = processes[1] ? place(processes[1], w, side ? 'right' : 'below', options) : null;
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
      wire: { from: [frame + w - PAD, y], to: [x + PAD, y], down: false, branches: [] },
    };
  }
  nodes.push(...first.at(frame, top, first.height));
  let height = top + first.height + frame;
  let wire: Wire | undefined;
  if (second) {
    const y = top + first.height + between;
    nodes.push(...second.at(frame, y, second.height));
    height = y + second.height + frame;
    // The two devices face each other.
    const x = width * 0.75;
    wire = { from: [x, y - between - PAD], to: [x, y + TITLE], down: true, branches: [] };
  } else if (alone) {
    const y = top + first.height - PAD - ROW / 2;
    const to = w + 2 * frame + STUB;
    wire = { from: [frame + w - PAD, y], to: [to, y], down: false, branches: [] };
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

/** Layout for more than two processes: one is unfolded, the others are boxes that can be opened. */
function folded(
  processes: readonly (MachineProcess & { host: string })[],
  { wires }: Machine,
  options: LayoutOptions,
): MachineLayout {
  const { width } = options;
  const wide = width >= WIDE;
  const opened = processes.find(({ endpoint }) => endpoint === options.opened)
    ? options.opened
    : most(processes);
  const open = processes.find(({ endpoint }) => endpoint === opened)!;
  const rest = processes.filter((one) => one !== open);
  const connections = (endpoint: string): string => {
    const n = wires.find(({ ends }) => ends.includes(endpoint) && ends.includes(opened!))?.qps ?? 0;
    const name = options.titleOf(opened!);
    return n === 0 || columns > 1 ? '' : `${plural(n, 'connection')} to ${name}`;
  };
  const gap = wide ? BUS : 16;
  const w = wide ? (width - gap) * 0.56 : width;
  const placed = place(open, w, 'first', options);
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
      ...{ w: cw, h: ch, frame: true, turned: false, part: null, rings: [], members: one.parts },
      label: options.titleOf(one.endpoint),
      note: [contents(one.parts), connections(one.endpoint)].filter(Boolean).join('; '),
    });
  });
  const rows = Math.ceil(rest.length / columns);
  const height = Math.max(placed.height, top + rows * (ch + GAP));
  if (!wide) return { width, height, frames: [], nodes, wire: undefined };
  const y = placed.height - PAD - ROW / 2;
  const bus = w + 16;
  const ends = Array.from({ length: rows }, (_, i) => i * (ch + GAP) + ch / 2);
  const branches: Wire['branches'] = ends.map((at) => [
    [bus, at],
    [from, at],
  ]);
  const [upper, lower] = [Math.min(y, ends[0]!), Math.max(y, ends.at(-1)!)];
  return {
    ...{ width, height, frames: [], nodes },
    wire: {
      ...{ from: [w - PAD, y], to: [bus, y], down: false },
      branches: [
        [
          [bus, upper],
          [bus, lower],
        ],
        ...branches,
      ],
    },
  };
}

/** Text such as `2 QPs, 1 CQ`. */
export function contents(parts: readonly MachinePart[]): string {
  const said = ['QP', 'SRQ', 'CQ', 'MR'].flatMap((kind) => {
    const n = parts.filter((one) => one.kind === kind && !one.gone).length;
    return n === 0 ? [] : [plural(n, kind)];
  });
  return said.length === 0 ? 'no objects' : said.join(', ');
}

/** `This host`, or the name of another host. */
export const hostTitle = (name: string): string => (name === LOCAL_HOST ? 'This host' : `Host ${name}`);
