import { cpuPerGBTotal } from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { figures } from '../src/model/figures';
import { shareOf, wayOf, WAYS, type BytePath, type BytePaths } from '../src/model/paths/byte-path';
import { pathsOf } from '../src/model/paths/paths-of';
import { pathsSample } from '../src/model/paths/sample';
import { PathsDrawing } from '../src/parts/paths/paths-drawing';
import { lineWidth, pathsGeometry, THINNEST, WIDEST, type Box } from '../src/parts/paths/paths-geometry';
import { pathSentence } from '../src/parts/paths/path-words';
import { bulkRun } from './bulk-run';

const draw = (
  shown: BytePaths,
  more: { pointed?: BytePath['transport']; told?: boolean; width?: number } = {},
) =>
  renderToStaticMarkup(
    <PathsDrawing
      {...{ shown, pointed: null, told: true, width: 736, ...more }}
      onPoint={() => undefined}
      dotsOf={() => () => undefined}
    />,
  );
const { shown: sample } = await pathsSample();

describe('the way of a transport', () => {
  it('follows its link, and without one what does the NIC’s work', () => {
    expect(wayOf('shm', undefined, 'user-space')).toBe('rings');
    expect(wayOf('rdma', 'shm', 'user-space')).toBe('rings');
    expect(wayOf('rdma', 'udp', 'user-space')).toBe('sockets');
    expect(wayOf('rdma', undefined, 'hardware')).toBe('nic');
    expect(wayOf('rdma', undefined, 'kernel')).toBe('driver');
    for (const provider of ['user-space', 'simulated', 'unknown', null] as const)
      expect(wayOf('rdma', undefined, provider)).toBe('device');
    expect(wayOf('tcp', undefined, 'hardware')).toBe('tcp');
    expect(wayOf('udp', undefined, 'hardware')).toBeNull();
  });
});

describe('the paths of a run', () => {
  const { model } = bulkRun();
  const paths = pathsOf(model)!;

  it('have the figures of the run and no others, also while it goes on', () => {
    const all = figures(model);
    expect(paths.paths.map(({ transport }) => transport).sort()).toEqual(all.map((f) => f.transport).sort());
    for (const { transport, goodputGbps, cpu } of paths.paths) {
      const own = all.find((f) => f.transport === transport)!;
      expect([goodputGbps, cpu]).toEqual([own.goodputGbps, own.cpu]);
    }
  });

  it('move where loops report samples', () => {
    expect(paths.paths.every(({ moving }) => moving)).toBe(true);
    model.setRecord({ ...model.record, state: 'done' });
    expect(pathsOf(model)!.paths.some(({ moving }) => moving)).toBe(false);
  });

  it('lead from the server to the client in a READ', () => {
    const reads = bulkRun().model;
    reads.setRecord({ ...reads.record, parameters: { ...reads.record.parameters, operation: 'read' } });
    expect([paths.from, pathsOf(reads)!.from]).toEqual(['client', 'server']);
  });

  it('are none where nothing was measured', async () => {
    const { RunModel } = await import('../src/model/run-model');
    const { record } = await import('./stream');
    expect(pathsOf(new RunModel(record()))).toBeNull();
  });
});

const inside = (x: number, y: number, { x: left, y: top, w, h }: Box): boolean =>
  x >= left && x <= left + w && y >= top && y <= top + h;

describe.each([326, 520, 736, 1100])('at %i px', (width) => {
  const { client, server, lanes, height } = pathsGeometry(width);
  const kernel = (y: number) => y > client.kernel.y;

  it('each line begins and ends at a memory, and enters the kernel only where its bytes do', () => {
    for (const way of WAYS) {
      const { points } = lanes[way];
      const [first, last] = [points[0]!, points.at(-1)!];
      expect(inside(...first, client.memory), way).toBe(true);
      expect(inside(...last, server.memory), way).toBe(true);
      const direct = way === 'rings' || way === 'nic' || way === 'device';
      expect(
        points.some(([, y]) => kernel(y)),
        way,
      ).toBe(!direct);
      for (const [x, y] of points) expect(x > 0 && x < width && y > 0 && y < height, way).toBe(true);
    }
    for (const [x] of lanes.sockets.points.slice(1, 3))
      expect(inside(x, client.device.y, client.device)).toBe(true);
    expect(lanes.sockets.points.some(([x, y]) => inside(x, y, client.upper))).toBe(true);
  });

  it('the hosts are mirror images that do not overlap', () => {
    expect(client.host.x + client.host.w).toBeLessThan(server.host.x);
    for (const part of ['memory', 'device', 'upper', 'tcp', 'kernel'] as const)
      expect(client[part].x + client[part].w + server[part].x).toBeCloseTo(width);
  });
});

describe('the drawing', () => {
  it('draws each line as wide as its goodput', () => {
    const fastest = Math.max(...sample.paths.map(({ goodputGbps }) => goodputGbps!));
    expect(lineWidth(fastest, fastest)).toBe(WIDEST);
    expect(lineWidth(fastest / 2, fastest)).toBe(WIDEST / 2);
    expect(lineWidth(0, fastest)).toBe(THINNEST);
    const html = draw(sample);
    for (const { way, goodputGbps } of sample.paths) {
      const line = html.slice(html.indexOf(`data-path="${way}"`));
      expect(line).toMatch(new RegExp(`^[^>]*data-goodput="${goodputGbps}"`));
      expect(/class="line"[^>]*stroke-width="([\d.]+)"/.exec(line)?.[1]).toBe(
        String(lineWidth(goodputGbps!, fastest)),
      );
    }
  });

  it('shows nothing that the figures do not back', () => {
    const html = draw(sample);
    const shares = [...html.matchAll(/data-kernel-share="([\d.]+)"/g)].map(([, share]) => Number(share));
    expect(shares).toEqual(
      sample.paths.map(({ cpu }) =>
        Number(((cpu!.kernel + (cpu!.outside ?? 0)) / cpuPerGBTotal(cpu!)).toFixed(3)),
      ),
    );
    for (const { transport } of sample.paths) {
      const pointed = draw(sample, { pointed: transport });
      const { cpu } = sample.paths.find((one) => one.transport === transport)!;
      for (const owner of ['app', 'kernel'] as const)
        expect(pointed).toContain(`data-owner="${owner}" data-light="${shareOf(owner, cpu)!.toFixed(3)}"`);
    }
  });

  it('lights the path that is pointed at, and its device only if it works', () => {
    const html = draw(sample, { pointed: 'tcp' });
    expect([...html.matchAll(/data-transport="(\w+)" data-pointed="true"/g)].map(([, one]) => one)).toEqual([
      'tcp',
    ]);
    expect(html.match(/class="path faint"/g)).toHaveLength(sample.paths.length - 1);
    expect(html).toContain('data-owner="nic" data-light=""');
  });

  it('tells no figure before the run, and none that was not measured', () => {
    const asked = draw(sample, { told: false });
    expect(asked).not.toMatch(/data-kernel-share|data-goodput="\d|class="dots"|data-light="\d/);
    const [first, ...others] = sample.paths;
    const html = draw({ ...sample, paths: [{ ...first!, goodputGbps: null, cpu: null }, ...others] });
    expect(html).toContain('data-goodput=""');
    expect(pathSentence({ ...first!, goodputGbps: null, cpu: null }, sample, false)).toContain(
      'not measured yet',
    );
  });

  it('says each path in a sentence', () => {
    const tcp = sample.paths.find(({ transport }) => transport === 'tcp')!;
    expect(pathSentence(tcp, sample, false)).toMatch(
      /^TCP: [\d.]+ Gb\/s, from client to server\. The kernel copies .* CPU time of both ends: application [\d.]+ %, NIC work 0 %, kernel [\d.]+ %\.$/,
    );
  });
});
