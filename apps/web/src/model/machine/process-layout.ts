/** Layout of the parts of a process. */
import { plural } from '@verbslab/labs';
import { count } from '../../format/number';
import type { Box, LayoutOptions, MachineNode, RingPlace } from './layout-types';
import type { MachinePart, MachineProcess } from './machine';
import { headline, nameOf } from './names';

/** Smallest width for two processes side by side. */
export const WIDE = 700;
export const ROW = 34;
/** Height of the title of a process. */
export const TITLE = 30;
/** Height of a memory region, which has a line below its name. */
const REGION = 50;
/** Width of the name of a completion queue, before its ring. */
const NAME = 100;
const RING = 24;
export const GAP = 6;
export const PAD = 8;
/** Objects of a kind that are drawn; the rest is folded. */
const SHOWN = 3;
/** Kinds of which only the number is drawn. */
const COUNTED = ['AH', 'MW', 'ID', 'completion channel', 'event channel'];
const INNER = ['MR', 'QP', 'SRQ'];

/** A process ready to be drawn. */
export interface Placed {
  height: number;
  /** Returns the nodes at a position, stretched to a height that a process beside it may have. */
  at: (x: number, y: number, height: number) => MachineNode[];
}

export function place(
  process: MachineProcess & { host: string },
  w: number,
  side: 'first' | 'right' | 'below',
  options: LayoutOptions,
): Placed {
  const mirrored = side === 'right';
  const { titleOf, hostOf, selected } = options;
  const { endpoint, parts } = process;
  const nodes: MachineNode[] = [];
  const node = (box: Box, more: Partial<MachineNode>): void => {
    nodes.push({
      ...{ id: '', what: 'object', endpoint, kind: '', label: '', note: '', part: null },
      ...{ rings: [], members: [], frame: false, turned: false, ...box, ...more },
    });
  };
  const object = (part: MachinePart, box: Box, rings: readonly RingPlace[], frame = false): void =>
    node(box, {
      ...{ id: part.id, kind: part.kind, part, rings, frame },
      label: nameOf(part),
      note: headline(part),
    });

  /** Places the objects of a column from `from` on; returns the lower end. */
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

  // The lower one of two processes has its device at the top.
  const deviceY = side === 'below' ? TITLE : null;
  let y = TITLE + (deviceY === null ? 0 : ROW + GAP + 2);
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
      const memory = Math.round(width * 0.42);
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
    // A domain is drawn around its objects, so before them.
    nodes.splice(index, 0, nodes.pop()!);
    y += GAP + 2;
  }
  y = rest('PD', pds, { x: PAD, y, w: inner, h: ROW });
  const cqs = parts.filter(({ kind }) => kind === 'CQ');
  for (const cq of drawn(cqs, selected)) {
    object(
      cq,
      { x: PAD, y, w: inner, h: ROW },
      cq.rings.map((ring) => ({ ring, x: PAD + NAME, y: y + 8, w: inner - NAME - PAD, h: ROW - 16 })),
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
          label: plural(some.length, kind),
        },
      ),
    );
    y += ROW + GAP;
  }
  const height = deviceY === null ? y + ROW + PAD + 2 : y + PAD - GAP;
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
          ...{ x: 0, y: 0, w, h, frame: true, turned: false, members: parts, label: titleOf(endpoint) },
          note: titleOf(endpoint) === endpoint && endpoint.startsWith('pid ') ? '' : title,
        },
        ...nodes,
        {
          ...{ id: `device ${endpoint}`, what: 'device', endpoint, kind: 'device', part: null, rings: [] },
          ...{
            x: PAD,
            y: deviceY ?? h - ROW - PAD,
            w: inner,
            h: ROW,
            frame: false,
            turned: mirrored,
            members: [],
          },
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

/** First objects of a kind, and the selected one. */
function drawn(all: readonly MachinePart[], selected: string | null): readonly MachinePart[] {
  if (all.length <= SHOWN) return all;
  const first = all.slice(0, SHOWN);
  const chosen = all.find(({ id }) => id === selected);
  return chosen && !first.includes(chosen) ? [...first.slice(0, -1), chosen] : first;
}
