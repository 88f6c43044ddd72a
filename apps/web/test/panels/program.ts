/** Panels of a program under `verbslab exec`. */
import { findTask } from '@verbslab/labs/workbench';
import type { EmittedEvent, PolicyState } from '@verbslab/protocol';
import { expect } from 'vitest';
import ObjectsPanel from '../../src/run/panels/objects';
import OutputPanel from '../../src/parts/run/output';
import PointsPanel from '../../src/run/panels/points';
import PoliciesPanel from '../../src/run/panels/policies';
import QueuesPanel from '../../src/run/panels/queues';
import TrafficPanel from '../../src/run/panels/traffic';
import RequestLatencyPanel from '../../src/run/panels/request-latency';
import WorkPanel from '../../src/run/panels/work';
import { RequestLatencies } from '@verbslab/charts/data';
import { draw, fed, plain, PROGRAM, rows, shows, type PanelTests } from './case';

const object = (
  phase: 'made' | 'gone',
  kind: string,
  number: number,
  attrs: Record<string, string | number | string[]> = {},
): EmittedEvent => ({
  kind: 'object',
  endpoint: 'pid 7',
  phase,
  object: kind,
  number,
  call: `ibv_${kind.toLowerCase()}`,
  attrs,
  t: phase === 'made' ? 1e9 : 2e9,
});
const state = (from: 'RESET' | 'INIT', to: 'INIT' | 'ERR'): EmittedEvent => ({
  kind: 'qp',
  endpoint: 'pid 7',
  qpn: 17,
  from,
  to,
  attrs: {},
});
const QP = { type: 'RC', max_send_wr: 16, max_recv_wr: 8 };
const program = (events: EmittedEvent[], over = false) =>
  fed({ run: { ...PROGRAM, state: over ? 'done' : 'running' }, events });

const DCQCN: PolicyState = {
  ...{ qpn: 17, recovery: 'go-back-n', congestion: 'dcqcn-nic', lineRate: 1e10, cnps: 0, marks: 0 },
};
const SWIFT: PolicyState = {
  ...{ qpn: 18, recovery: 'go-back-0', congestion: 'swift', window: 49_152, srttNs: 31_000 },
  ...{ cnps: 0, marks: 1200 },
};
const POLICIES: EmittedEvent[] = [
  { kind: 'policies', endpoint: 'pid 7', t: 1e9, qps: [DCQCN], others: 5 },
  {
    ...{ kind: 'policies', endpoint: 'pid 7', t: 2e9, others: 0 },
    qps: [{ ...DCQCN, rate: 4e9, target: 1e10, alphaPpm: 500_000, cnps: 3 }],
  },
  { kind: 'policies', endpoint: 'pid 8', t: 2e9, qps: [SWIFT], others: 0 },
];

const wr = (wrId: number, status: number): EmittedEvent => ({
  kind: 'wr',
  endpoint: 'pid 7',
  qpn: 17,
  wrId,
  opcode: 'RDMA_WRITE',
  byteLen: 4096,
  status,
  posted: 1000,
  firstTx: 3000,
  lastTx: 3500,
  acked: status === 0 ? 21_000 : null,
  cqe: 23_000,
  polled: 31_000,
});

const traffic = (endpoint: string, qpn: number, peerQpn: number, messages: number): EmittedEvent => ({
  kind: 'traffic',
  endpoint,
  peers: [{ qpn, gid: '::ffff:127.0.0.1', peerQpn, messages, bytes: messages * 1024 }],
  otherMessages: 0,
  otherBytes: 0,
});
const endpoint = (role: string): EmittedEvent => ({
  kind: 'endpoint',
  role,
  endpoint: role,
  device: 'uroce0',
  providerClass: 'user-space',
  gids: ['::ffff:127.0.0.1'],
});
const qpOf = (of: string, number: number): EmittedEvent =>
  ({
    ...(object('made', 'QP', number, QP) as object),
    endpoint: of,
  }) as EmittedEvent;

/** A program with 1,000 SENDs of 5 µs, or also 1,000 WRITEs of 20 µs, and completions that have no latency. */
function timed(writes: boolean) {
  const model = program(
    [{ kind: 'counter', endpoint: 'pid 7', when: 'after', values: { posted_sends: writes ? 2501 : 1000 } }],
    true,
  );
  const latencies = new RequestLatencies();
  const column = (n: number, value: number) => new Uint32Array(n).fill(value);
  const take = (n: number, latency: number, meta: number) =>
    latencies.take(1e9, {
      dt: Uint32Array.from({ length: n }, (_, i) => i * 1000),
      ...{ latency: column(n, latency), meta: column(n, meta) },
      ...{ wrId: column(n, 0), qpn: column(n, 17), byteLen: column(n, 0) },
      ...{ imm: column(n, 0), batch: column(n, 1) },
    });
  take(1000, 5000, 0);
  if (writes) {
    take(1000, 20_000, 1);
    take(3, 0, 128);
    take(1, 9000, 12 << 8);
  }
  model.setLatencies(latencies.snapshot());
  return model;
}

export const OF_PROGRAMS: Readonly<Record<string, PanelTests>> = {
  points: {
    Content: PointsPanel,
    empty: {
      running: 'The checker looks at the records when the program has ended.',
      done: 'The program ended before it could be checked.',
    },
    cases: {
      'says why a point did not pass, and at which line': () => {
        const parameters = { workbench: { task: 'set-up', language: 'c' } };
        const at = { file: 'main.c', line: 31 };
        const [gone] = findTask('set-up')!.points;
        const model = fed({
          run: { ...PROGRAM, state: 'done', parameters },
          events: [{ kind: 'check', id: gone!.id, ok: false, detail: 'Its timeout is 0.', at }],
        });
        const html = draw(PointsPanel, model);
        expect(shows(html, 'check')).toEqual(['Its timeout is 0. Line 31.']);
        expect(plain(html)).toContain(gone!.text.split(' ')[0]);
        expect(html.match(/aria-label="not checked"/g)).toHaveLength(findTask('set-up')!.points.length - 1);
      },
    },
  },
  objects: {
    Content: ObjectsPanel,
    empty: { running: 'Each object appears here', done: 'The program made no verbs object.' },
    cases: {
      'lists the newest first, with the states of a QP': () => {
        const html = draw(
          ObjectsPanel,
          program([
            object('made', 'PD', 3),
            object('made', 'QP', 17, QP),
            state('RESET', 'INIT'),
            state('INIT', 'ERR'),
          ]),
        );
        expect([...html.matchAll(/data-object="([^"]*)"/g)].map(([, name]) => name)).toEqual([
          'QP 0x000011',
          'PD 3',
        ]);
        expect(plain(html)).toMatch(/RC, send queue 16, receive queue 8.*INIT → ERR/s);
        expect([shows(html, 'objects-made'), shows(html, 'objects-live')]).toEqual([['2'], ['2']]);
      },
      'says when an object went, and after the end which were leaked': () => {
        const events = [
          object('made', 'PD', 3),
          object('made', 'MR', 0x2a, { length: 4096, access: ['LOCAL_WRITE'] }),
          object('gone', 'MR', 0x2a),
        ];
        expect(plain(draw(ObjectsPanel, program(events)))).toMatch(/4 KiB, LOCAL_WRITE.*to 2\.000 s.*live/s);
        const html = plain(draw(ObjectsPanel, program(events, true)));
        expect(html).toMatch(/2 objects, 1 never destroyed/);
        expect(html).toMatch(/leaked/);
      },
    },
  },
  output: {
    Content: OutputPanel,
    empty: { running: 'What the program prints appears here.', done: 'did not record output' },
    cases: {
      'shows what was printed': () => {
        const html = draw(
          OutputPanel,
          program([{ kind: 'output', endpoint: 'pid 7', stream: 'stderr', text: 'no device\n', bytes: 10 }]),
        );
        expect(plain(html)).toMatch(/stderr.*no device/s);
      },
    },
  },
  policies: {
    Content: PoliciesPanel,
    empty: {
      running: 'Queue pairs with another policy than the default appear here.',
      done: 'All queue pairs had the default policy.',
    },
    cases: {
      'lists the queue pairs, and draws what the law of one that got CNPs did': () => {
        const html = draw(PoliciesPanel, program(POLICIES));
        expect(rows(html)).toEqual([
          ['Queue pair', 'Policy', 'Allowed', 'CNPs', 'Marked'],
          ['QP 0x000011, pid 7', 'DCQCN (NIC)', '4.00 Gb/s', '3', '0'],
          ['QP 0x000012, pid 8', 'go-back-0 · Swift', '48 KiB', '0', '1,200'],
        ]);
        expect(shows(html, 'policies-more')).toEqual([
          '5 more with such a policy are not sampled: a sample names 16 per process.',
        ]);
        expect(plain(html)).toContain('RoCE v2 defines the CNP, not how a sender slows down.');
        expect(html).toContain('aria-label="Rate and target rate of QP 0x000011"');
        expect(html).toContain('aria-label="Alpha of QP 0x000011"');
      },
      'has the figures of each sample in its table, the line’s rate while nothing limits it': () => {
        const html = draw(PoliciesPanel, program(POLICIES, true), { table: true });
        const series = /<table[^>]*data-shows="policy-series".*?<\/table>/s.exec(html)![0];
        expect(rows(series)).toEqual([
          ['time, s', 'Rate, Gb/s', 'Target, Gb/s', 'Alpha, of 1', 'CNPs'],
          ['1.00', '10.0', '–', '–', '0'],
          ['2.00', '4.00', '10.0', '0.500', '3'],
        ]);
      },
      'names the recovery in effect where the peer does not go along with selective repeat': () => {
        const asked = { ...DCQCN, congestion: 'none', recovery: 'selective-repeat' };
        const badge = (qp: PolicyState) => {
          const events: EmittedEvent[] = [
            { kind: 'policies', endpoint: 'pid 7', t: 1e9, qps: [qp], others: 0 },
          ];
          const html = draw(PoliciesPanel, program(events));
          return [rows(html)[1]![1], plain(html)] as const;
        };
        expect(badge(asked)[0]).toBe('selective repeat');
        const [name, text] = badge({ ...asked, recoveryInEffect: 'go-back-n' });
        expect(name).toBe('selective repeat asked, go-back-N in effect');
        expect(text).toContain('No packet from the peer has said');
      },
      'says that recovery alone has nothing to draw': () => {
        const qp = { ...DCQCN, congestion: 'none', recovery: 'go-back-0' };
        const html = draw(
          PoliciesPanel,
          program([{ kind: 'policies', endpoint: 'pid 7', t: 1e9, qps: [qp], others: 0 }]),
        );
        expect(plain(html)).toContain('Recovery alone has no rate or window to draw.');
        expect(plain(html)).toContain('Go-back-0 is not standard');
      },
    },
  },
  queues: {
    Content: QueuesPanel,
    empty: { running: 'appear here as they are made', done: 'No device sampled queues of this run.' },
    cases: {
      'lists how full each queue was in the last sample, and its size where no sample names it': () => {
        const events: EmittedEvent[] = [
          object('made', 'CQ', 1, { cqe: 64 }),
          object('made', 'QP', 17, QP),
          {
            ...{ kind: 'queues', endpoint: 'pid 7', t: 3e9, others: [] },
            queues: [
              { kind: 'SQ', number: 17, used: 5, size: 16, queued: 5, since: 1e9 },
              { kind: 'CQ', number: 1, used: 60, size: 64 },
            ],
          },
        ];
        const html = draw(QueuesPanel, program(events));
        expect(rows(html).map(([name, , fill]) => [name, fill])).toEqual([
          ['Queue', 'In it'],
          ['SQ 0x000011', '5 / 16'],
          ['CQ 1', '60 / 64'],
          ['RQ 0x000011', '? / 8'],
        ]);
      },
    },
  },
  'request-latency': {
    Content: RequestLatencyPanel,
    empty: {
      running: 'How long requests take, from the post to the completion, appears here.',
      done: 'No latency was recorded',
    },
    cases: {
      'shows the percentiles of all requests, and says which were not measured': () => {
        const html = draw(RequestLatencyPanel, timed(true), { table: true });
        expect(shows(html, 'latencies-measured')).toEqual(['2,000']);
        expect(shows(html, 'latencies-missing')).toEqual([
          'Not measured: 500 sends without a completion, 3 receives, 1 with an error.',
        ]);
        expect(rows(html)[1]!.slice(2, 6)).toEqual(['2,000', '5.00', '5.00', '20.0']);
        expect(plain(html)).toMatch(/All requests.*SEND.*RDMA_WRITE/s);
      },
      'offers no choice of opcodes if there is one': () => {
        const html = draw(RequestLatencyPanel, timed(false), { table: true });
        expect(html).not.toContain('<select');
        expect(shows(html, 'latencies-measured')).toEqual(['1,000']);
      },
    },
  },
  work: {
    Content: WorkPanel,
    empty: { running: 'Work requests appear here', done: 'No work request was posted to a queue.' },
    cases: {
      'counts all that was posted, and times some from their posting': () => {
        const html = draw(
          WorkPanel,
          program([
            wr(5, 0),
            {
              kind: 'counter',
              endpoint: 'pid 7',
              when: 'sample',
              values: { posted_sends: 900, posted_recvs: 4, posted_srq_recvs: 1 },
            },
          ]),
        );
        expect([shows(html, 'posted-sends'), shows(html, 'posted-receives'), shows(html, 'lives')]).toEqual([
          ['900'],
          ['5'],
          ['1'],
        ]);
        expect(rows(html)[1]).toEqual([
          ...['RDMA_WRITE', '0x000011', '5', '4 KiB', 'SUCCESS'],
          ...['2.00', '2.50', '20.0', '22.0', '30.0'],
        ]);
      },
      'names the error of one that failed beside its opcode, with no time for what did not happen': () => {
        const html = draw(WorkPanel, program([wr(5, 0), wr(6, 12)]));
        expect(rows(html)[1]).toEqual([
          ...['RDMA_WRITE', '0x000011', '6', '4 KiB', 'RETRY_EXC_ERR'],
          ...['2.00', '2.50', '–', '22.0', '30.0'],
        ]);
        expect(html).toContain('text-error-ink');
      },
    },
  },
  traffic: {
    Content: TrafficPanel,
    empty: {
      running: 'posts to each other process appears here',
      done: 'No work request was posted to a peer.',
    },
    cases: {
      'has a row per process that posts, and a column per process posted to': () => {
        const html = draw(
          TrafficPanel,
          program([
            endpoint('pid 1'),
            endpoint('pid 2'),
            qpOf('pid 1', 17),
            qpOf('pid 2', 18),
            traffic('pid 1', 17, 18, 40),
            traffic('pid 2', 18, 17, 1500),
          ]),
        );
        expect(rows(html)).toEqual([
          ['From / to', 'pid 1', 'pid 2'],
          ['pid 1', '–', '4040 KiB'],
          ['pid 2', '1,5001.46 MiB', '–'],
        ]);
      },
    },
  },
};
