import { describe, expect, it } from 'vitest';
import { hostTitle, layoutMachine } from '../../src/model/machine/layout';
import type { MachineLayout } from '../../src/model/machine/layout-types';
import { machineModel, machineTime } from '../../src/model/machine/machine';
import { nearestNode } from '../../src/model/machine/nearest-node';
import { recorded, type Recorded } from './recorded';

const drawn = (name: Recorded, width: number, more: { opened?: string } = {}): MachineLayout => {
  const run = recorded(name);
  return layoutMachine(machineModel(run, machineTime(run).telling), {
    ...{ width, titleOf: (endpoint) => endpoint, hostOf: hostTitle },
    ...{ order: ['client', 'server'], opened: null, selected: null, ...more },
  });
};
const process = ({ nodes }: MachineLayout, endpoint: string) =>
  nodes.find(({ id }) => id === `process ${endpoint}`)!;

describe('where the parts of a machine stand', () => {
  const names = ['minimal-flow', 'srq', 'pingpong'] as const;

  it.each(names.flatMap((name) => [300, 358, 700, 1100].map((width) => [name, width] as const)))(
    '%s: everything lies within %i pixels, and no two objects overlap',
    (name, width) => {
      const layout = drawn(name, width);
      for (const { x, y, w, h, rings } of layout.nodes)
        for (const box of [{ x, y, w, h }, ...rings]) {
          expect(box.x).toBeGreaterThanOrEqual(0);
          expect(box.y).toBeGreaterThanOrEqual(0);
          expect(box.x + box.w).toBeLessThanOrEqual(width + 0.5);
          expect(box.y + box.h).toBeLessThanOrEqual(layout.height + 0.5);
        }
      const solid = layout.nodes.filter(({ frame }) => !frame);
      for (const a of solid)
        for (const b of solid)
          if (a !== b)
            expect(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y).toBe(true);
    },
  );

  it('puts the ends side by side where there is room, and else one above the other', () => {
    const wide = drawn('minimal-flow', 1100);
    expect(process(wide, 'client').x).toBeLessThan(process(wide, 'server').x);
    expect(process(wide, 'client').y).toBe(process(wide, 'server').y);
    const narrow = drawn('minimal-flow', 358);
    expect(process(narrow, 'client').y).toBeLessThan(process(narrow, 'server').y);
    expect(process(narrow, 'client').x).toBe(process(narrow, 'server').x);
  });

  it('opens the process that is asked for', () => {
    const open = (layout: MachineLayout) =>
      layout.nodes.filter(({ what }) => what === 'device').map(({ endpoint }) => endpoint);
    expect(open(drawn('srq', 1100))).toEqual(['server']);
    expect(open(drawn('srq', 1100, { opened: 'client-2' }))).toEqual(['client-2']);
  });

  it.each([358, 1100])('lets the arrow keys reach every object (%i pixels)', (width) => {
    const { nodes } = drawn('minimal-flow', width);
    const reached = new Set([nodes[0]!]);
    for (const from of reached)
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
        const next = nearestNode(nodes, from, key);
        if (next) reached.add(next);
      }
    expect([...nodes].filter((one) => !reached.has(one)).map(({ id }) => id)).toEqual([]);
    expect(nearestNode(nodes, nodes[0]!, 'x')).toBeNull();
  });
});
