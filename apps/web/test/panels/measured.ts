/** Panels of measurements: charts, the tables behind them, and their explanations. */
import { FRAME_FLAGS, type EmittedEvent, type RunRecord, type SeriesRecord } from '@verbslab/protocol';
import { LABS } from '@verbslab/labs';
import { expect } from 'vitest';
import type { RunModel } from '../../src/model/run-model';
import ChecksPanel from '../../src/run/panels/checks';
import CostPanel from '../../src/run/panels/cost';
import CpuPanel from '../../src/run/panels/cpu';
import FindingsPanel from '../../src/run/panels/findings';
import GoodputPanel from '../../src/run/panels/goodput';
import LatencyPanel from '../../src/run/panels/latency';
import { interval, type Stream } from '../stream';
import { draw, fed, plain, rows, shows, type PanelTests } from './case';

const bulk = LABS.find(({ description }) => description.id === 'bulk')!.description;

const source = (n: number, transport: 'rdma' | 'tcp', role: 'client' | 'server'): EmittedEvent => ({
  kind: 'source',
  source: n,
  transport,
  role,
  what: 'loop',
  label: `${transport} ${role}`,
});
const SOURCES = [source(1, 'rdma', 'client'), source(2, 'tcp', 'client')];

/** 12.5 MB in 100 ms are 1 Gb/s. */
const sample = (ms: number, more: Partial<SeriesRecord> = {}): SeriesRecord =>
  interval({ t: ms * 1e6, bytes: 12.5e6, messages: 100, appNs: 20e6, nicNs: 30e6, kernelNs: 10e6, ...more });

/** A second of RDMA, then a second of TCP, in samples of 100 ms. */
function measured(run: Parameters<typeof fed>[0]['run'] = {}): RunModel {
  return fed({
    events: SOURCES,
    run,
    frames: (s) => [
      ...seconds(s, 1, 0, {}),
      ...seconds(s, 2, 1000, { bytes: 25e6, nicNs: NaN, kernelNs: 90e6, appNs: 10e6 }),
    ],
  });
}
const seconds = (s: Stream, n: number, from: number, more: Partial<SeriesRecord>) =>
  Array.from({ length: 10 }, (_, i) => s.series(n, [sample(from + 100 * (i + 1), more)]));

const latencies = (flags: number) =>
  fed({
    events: SOURCES,
    run: { state: flags ? 'done' : 'running' },
    frames: (s) => [
      s.histogram(
        1,
        Array.from({ length: 2000 }, (_, i) => 10_000 + i),
        flags,
      ),
    ],
  });

export const MEASURED: Readonly<Record<string, PanelTests>> = {
  findings: {
    Content: FindingsPanel,
    empty: { running: 'appears here when the run ends', done: 'ended before its results could be explained' },
    cases: {
      'puts what came last first, and leaves logs to others': () => {
        const html = draw(
          FindingsPanel,
          fed({
            events: [
              { kind: 'note', text: 'Capturing 10 packets.' },
              { kind: 'log', level: 'warn', text: 'Not for here.' },
              { kind: 'note', text: 'RDMA moved more.' },
            ],
          }),
        );
        expect(shows(html, 'finding')).toEqual(['RDMA moved more.', 'Capturing 10 packets.']);
        expect(html).not.toContain('Not for here');
      },
      'shows what the record knows before the stream has been read': () => {
        const notes = [
          { text: 'Capturing 10 packets.' },
          { text: 'Measured with a page open.', caveat: true as const },
          { text: 'RDMA moved more.' },
        ];
        const result = { notes } as RunRecord['result'];
        const html = draw(FindingsPanel, fed({ run: { state: 'done', result } }), { replaying: true });
        expect(shows(html, 'finding')).toEqual(['RDMA moved more.', 'Capturing 10 packets.']);
      },
    },
  },
  goodput: {
    Content: GoodputPanel,
    empty: { running: 'Waiting for the first sample', done: 'ended before its first sample' },
    cases: {
      'is a chart that has a name': () =>
        expect(draw(GoodputPanel, measured())).toMatch(/role="application"[^>]*Goodput over run time/),
      'has a column per transport in its table, and no value where it did not run': () => {
        const [head, ...body] = rows(draw(GoodputPanel, measured(), { table: true }));
        expect(head).toEqual(['Run time, s', 'RDMA, Gb/s', 'TCP, Gb/s']);
        expect(body[0]!.slice(1)).toEqual(['1.00', '–']);
        expect(body.at(-1)!.slice(1)).toEqual(['–', '2.00']);
      },
      'keeps a hole as one row with its length': () => {
        const model = fed({
          events: SOURCES,
          frames: (s) => [
            s.series(1, [sample(100)]),
            s.series(1, [sample(200)]),
            s.series(1, [sample(5200, { intervalNs: 5e9 })]),
          ],
        });
        const body = rows(draw(GoodputPanel, model, { table: true }));
        expect(body).toHaveLength(4);
        expect(body.at(-1)![0]).toMatch(/0\.2.*5\.2/);
      },
    },
  },
  moved: {
    Content: GoodputPanel,
    empty: { running: 'Waiting for the first sample', done: 'ended before its first sample' },
    cases: {
      'adds up the processes of a program': () => {
        const process = (n: number): EmittedEvent => ({
          kind: 'source',
          source: n,
          transport: 'rdma',
          role: 'process',
          what: 'loop',
          label: `pid ${n}`,
          endpoint: `pid ${n}`,
        });
        const model = fed({
          events: [process(1), process(2)],
          run: { lab: 'program' },
          frames: (s) => [1, 2].flatMap((n) => seconds(s, n, 0, {})),
        });
        expect(rows(draw(GoodputPanel, model, { table: true }))[2]![1]).toBe('2.00');
      },
    },
  },
  cost: {
    Content: CostPanel,
    empty: { running: 'appear here once data has moved', done: 'No bytes were measured' },
    cases: {
      'states the parts and the sum of each transport': () => {
        const html = draw(CostPanel, measured());
        // 60 ms of CPU per 12.5 MB; TCP 100 ms per 25 MB.
        expect(shows(html, 'cpu-sum')).toEqual(['4.80 s/GB', '4.00 s/GB']);
        expect(shows(html, 'cpu-nic')).toEqual(['NIC work 2.40', 'NIC work none']);
      },
      'has the same in its table': () => {
        const [head, ...body] = rows(draw(CostPanel, measured(), { table: true }));
        expect(head).toEqual(['Transport', 'Application', 'NIC work', 'Kernel', 'Sum']);
        expect(body).toEqual([
          ['RDMA', '1.60', '2.40', '0.800', '4.80'],
          ['TCP', '0.400', 'none', '3.60', '4.00'],
        ]);
      },
    },
  },
  cpu: {
    Content: CpuPanel,
    empty: { running: 'CPU time appears here', done: 'ended before CPU time was measured' },
    cases: {
      'is a chart that has a name': () =>
        expect(draw(CpuPanel, measured())).toMatch(/role="application"[^>]*CPU/),
      'splits the cores of each transport in its table': () => {
        const [head, ...body] = rows(draw(CpuPanel, measured(), { table: true }));
        expect(head!.slice(0, 4)).toEqual([
          'Run time, s',
          'RDMA application',
          'RDMA NIC work',
          'RDMA kernel',
        ]);
        // The middle of the second of RDMA: 20, 30 and 10 ms per 100 ms.
        expect(body[4]!.slice(1, 4)).toEqual(['0.200', '0.300', '0.100']);
      },
    },
  },
  latency: {
    Content: LatencyPanel,
    empty: { running: 'from post to completion, appears here', done: 'No latency was measured' },
    cases: {
      'is a chart per transport': () =>
        expect(draw(LatencyPanel, latencies(0))).toMatch(/role="application"[^>]*Latency of RDMA/),
      'has n and percentiles in its table, and withholds those of too few samples': () => {
        const html = plain(draw(LatencyPanel, latencies(FRAME_FLAGS.total), { table: true }));
        expect(html).toMatch(/2,000/);
        expect(html).toMatch(/11\.0/);
        expect(html).toContain('not enough samples');
      },
    },
  },
  checks: {
    Content: ChecksPanel,
    lab: bulk,
    empty: { running: 'Not checked yet', done: 'ended before it could be checked' },
    cases: {
      'tells what holds from what does not and from what does not apply': () => {
        const [one, two, three] = bulk.checks.map(({ id }) => id);
        const html = draw(
          ChecksPanel,
          fed({
            run: { state: 'done' },
            events: [
              { kind: 'check', id: one!, ok: true, detail: 'All of them.' },
              { kind: 'check', id: two!, ok: false, detail: '3 bytes differ.' },
              { kind: 'check', id: three!, ok: true, applies: false, detail: 'No packets were captured.' },
            ],
          }),
          { lab: bulk },
        );
        expect(html).toMatch(/data-ok="true".*aria-label="holds".*All of them\./s);
        expect(html).toMatch(
          /data-ok="false".*aria-label="does not hold".*text-error-ink[^<]*3 bytes differ\./s,
        );
        expect(html).toMatch(/aria-label="does not apply".*No packets were captured\./s);
      },
      'says what of the stream could not be read': () => {
        const model = fed({});
        model.frame(new Uint8Array(3));
        expect(shows(draw(ChecksPanel, model, { lab: bulk }), 'bad-frames')).toEqual([
          expect.stringMatching(/^1 binary frame could not be read/),
        ]);
      },
    },
  },
};
