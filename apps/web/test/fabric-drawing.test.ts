/** The drawing of a simulated fabric: everything in its room, and links as wide as their flows are many. */
import { LABS } from '@verbslab/labs';
import type { LabFabric } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { BOX_HEIGHT, drawFabric, type FabricBox } from '../src/model/fabric-drawing';

const FABRICS = LABS.flatMap(({ description: { id, fabric } }) =>
  fabric ? [[id, fabric] as [string, LabFabric]] : [],
);

const overlap = (a: FabricBox, b: FabricBox): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + BOX_HEIGHT && b.y < a.y + BOX_HEIGHT;

describe.each([1000, 715, 358, 240])('%d pixels wide', (width) => {
  it.each(FABRICS)('%s: all boxes are inside, and none lies on another', (_, fabric) => {
    const { boxes, height } = drawFabric(fabric, width);
    for (const [i, box] of boxes.entries()) {
      expect(box.w, box.label).toBeGreaterThan(8);
      expect(box.x).toBeGreaterThanOrEqual(-0.001);
      expect(box.x + box.w).toBeLessThanOrEqual(width + 0.001);
      expect(box.y + BOX_HEIGHT).toBeLessThanOrEqual(height);
      expect(boxes.slice(i + 1).filter((other) => overlap(box, other))).toEqual([]);
    }
  });

  it.each(FABRICS)('%s: each host is drawn once, by itself or in a group', (_, fabric) => {
    const hosts = drawFabric(fabric, width).boxes.filter(({ kind }) => kind === 'host');
    const count = ({ label }: FabricBox): number => Number(/^(\d+) hosts$/.exec(label)?.[1] ?? NaN);
    const all = fabric.hosts * (fabric.tiers[0] ?? 1);
    if (hosts.every((one) => Number.isNaN(count(one)) && /^(host )?\d+$/.test(one.label)) && width >= 715)
      expect(hosts).toHaveLength(all);
    expect(hosts.some(({ sends }) => sends)).toBe(fabric.flows !== undefined);
    expect(hosts.some(({ receives }) => receives)).toBe(fabric.flows !== undefined);
  });
});

it('draws the link of a receiver as wide as all its flows', () => {
  const flows: [number, number][] = [
    [0, 3],
    [1, 3],
    [2, 3],
  ];
  const { links } = drawFabric({ text: '', tiers: [1], hosts: 4, flows }, 600);
  expect(links.map((one) => one.flows)).toEqual([1, 1, 1, 3]);
});

it('leaves open which uplink a flow takes, unless there is one', () => {
  const flows: [number, number][] = [[0, 2]];
  const of = (spines: number) =>
    drawFabric({ text: '', tiers: [2, spines], hosts: 2, flows }, 600)
      .links.slice(4)
      .map((one) => one.flows);
  expect(of(1)).toEqual([1, 1]);
  expect(of(2)).toEqual([null, null, null, null]);
});

it('counts the flows that go one way round a ring', () => {
  const flows: [number, number][] = [
    [0, 2],
    [3, 1],
  ];
  const { links } = drawFabric({ text: '', tiers: [4], ring: true, hosts: 1, flows }, 600);
  // A link to the next switch, and one to the host, for each switch.
  expect(links.filter((_, i) => i % 2 === 0).map((one) => one.flows)).toEqual([2, 1, 0, 1]);
  expect(links.filter((_, i) => i % 2 === 1).map((one) => one.flows)).toEqual([1, 1, 1, 1]);
});

it('groups hosts for which there is no room', () => {
  const labels = (hosts: number, width: number) =>
    drawFabric({ text: '', tiers: [1], hosts }, width)
      .boxes.filter(({ kind }) => kind === 'host')
      .map(({ label }) => label);
  expect(labels(64, 715)).toEqual([
    'host 0',
    'host 1',
    'host 2',
    'host 3',
    'host 4',
    'host 5',
    'host 6',
    '56 hosts',
    'host 63',
  ]);
  expect(labels(64, 100)).toEqual(['64 hosts']);
});
