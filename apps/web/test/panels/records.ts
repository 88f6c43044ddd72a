/** Panels that list records: of a lab's run, and of a program's. */
import { readFileSync } from 'node:fs';
import { decodeHeader, type EmittedEvent } from '@verbslab/protocol';
import { decodeFile } from '@verbslab/roce';
import { expect } from 'vitest';
import { CompletionLog } from '../../src/model/completion-log';
import type { RunModel } from '../../src/model/run-model';
import CompletionsPanel from '../../src/run/panels/completions';
import CountersPanel from '../../src/run/panels/counters';
import { detailText, operationText } from '../../src/parts/packets/list-columns';
import PacketsPanel from '../../src/run/panels/packets';
import ProblemsPanel from '../../src/run/panels/problems';
import VerbsPanel from '../../src/run/panels/verbs';
import { Stream } from '../stream';
import { draw, fed, plain, PROGRAM, rows, shows, type PanelTests } from './case';

/** Completions come to the model as snapshots of a log of their own. */
function completed(options: { status?: number; dropped?: number } = {}): RunModel {
  const model = fed({
    events: [{ kind: 'source', source: 1, transport: 'rdma', role: 'client', what: 'loop', label: 'x' }],
  });
  const log = new CompletionLog();
  const frame = new Stream().completions(1, 300, options);
  log.frame(decodeHeader(frame), frame);
  model.setCompletions(log.ring.snapshot(64), 2);
  return model;
}
const cells = (html: string, n: number): string[] =>
  [...html.matchAll(/role="row"[^]*?(?=role="row"|$)/g)]
    .map(([row]) => [...row.matchAll(/role="(?:grid)?cell"[^>]*>([^]*?)<\/div>/g)].map(([, c]) => plain(c!)))
    .filter((row) => row.length > 0)[n] ?? [];

const counters = (
  endpoint: string,
  when: 'before' | 'after',
  values: Record<string, number>,
): EmittedEvent => ({
  kind: 'counter',
  endpoint,
  when,
  values,
});

const { packets: capture, analysis } = decodeFile(
  new Uint8Array(readFileSync(new URL('../../../../testdata/rxe-write-8pc-loss.pcap', import.meta.url))),
);
const firstAgain = capture.findIndex(({ index }) => analysis.marks.get(index)?.includes('retransmission'));
/** Packets of a real capture as a tap hands them on: from the IP header. */
const captured = (from: number, n: number, dropped = 0, run = {}) =>
  fed({
    run,
    events: [{ kind: 'source', source: 9, transport: 'rdma', role: 'client', what: 'tap', label: 'x' }],
    frames: (s) => [
      s.packets(
        9,
        capture.slice(from, from + n).map(({ data, direction }, i) => ({
          t: i * 1000,
          tapSeq: i + 1,
          direction: direction === 'in' ? ('received' as const) : ('sent' as const),
          flags: 0,
          origLen: data.length - 14,
          bytes: data.subarray(14),
        })),
        dropped,
      ),
    ],
  });

export const RECORDS: Readonly<Record<string, PanelTests>> = {
  problems: {
    Content: ProblemsPanel,
    empty: {
      running: 'No call, work request or counter has reported an error yet.',
      done: 'Nothing went wrong.',
    },
    cases: {
      'counts failed completions of a program, with what to do': () => {
        const wc = { wrId: 1, status: 12, statusName: 'RETRY_EXC_ERR', opcode: '', byteLen: 0, qpn: 17 };
        const html = draw(ProblemsPanel, fed({ run: PROGRAM, events: [{ kind: 'completion', wc }] }));
        expect(html).toContain('data-problems="1"');
        expect(plain(html)).toMatch(/QP 0x000011 completed with RETRY_EXC_ERR/);
      },
    },
  },
  completions: {
    Content: CompletionsPanel,
    empty: { running: 'Each completion appears here', done: 'No completion was recorded' },
    cases: {
      'lists the newest first, and counts all': () => {
        const html = draw(CompletionsPanel, completed());
        expect(shows(html, 'completions')).toEqual(['300']);
        expect(cells(html, 0)).toEqual(
          expect.arrayContaining(['300', 'RDMA_WRITE', 'client', '4,096', '299', '0x000011']),
        );
        expect(cells(html, 1)).toContain('298');
      },
      'names the error of those that failed, in red': () => {
        const html = draw(CompletionsPanel, completed({ status: 10 }));
        expect(shows(html, 'completion-errors')).toEqual(['300']);
        expect(html).toMatch(/text-error-ink[^"]*"[^>]*style[^]*?REM_ACCESS_ERR/);
      },
      'tells flushed ones from errors': () => {
        const html = draw(CompletionsPanel, completed({ status: 5 }));
        expect([shows(html, 'completion-errors'), shows(html, 'completion-flushes')]).toEqual([
          ['0'],
          ['300'],
        ]);
      },
      'lists those that a lab polled one by one, newest first': () => {
        const polled = (t: number, wc: object): EmittedEvent => ({
          kind: 'completion',
          endpoint: 'client',
          t,
          wc: {
            wrId: 4,
            status: 0,
            statusName: 'SUCCESS',
            opcode: 'RDMA_WRITE',
            byteLen: 8,
            qpn: 17,
            ...wc,
          },
        });
        const events = [polled(2e6, { wrId: 8 }), polled(1e6, {}), polled(3e6, { wrId: 9, status: 10 })];
        const html = draw(CompletionsPanel, fed({ events }));
        expect(rows(html).map((row) => row.slice(2).join(' '))).toEqual([
          'Opcode or error Bytes QP wr_id',
          '10 SUCCESS – 0x000011 9',
          'RDMA_WRITE 8 0x000011 8',
          'RDMA_WRITE 8 0x000011 4',
        ]);
      },
      'says how many were counted only': () =>
        expect(shows(draw(CompletionsPanel, completed({ dropped: 7 })), 'completions-dropped')).toEqual([
          '7',
        ]),
    },
  },
  counters: {
    Content: CountersPanel,
    empty: { running: 'Device counters appear here', done: 'No counters were read' },
    cases: {
      'shows the change during the run by endpoint, and hides what stayed at zero': () => {
        const html = draw(
          CountersPanel,
          fed({
            events: [
              counters('client', 'before', { sent_pkts: 100, rcvd_pkts: 0, duplicate_request: 0 }),
              counters('client', 'after', { sent_pkts: 1350, rcvd_pkts: 0, duplicate_request: 0 }),
              counters('server', 'before', { sent_pkts: 0, rcvd_pkts: 5, duplicate_request: 0 }),
              counters('server', 'after', { sent_pkts: 0, rcvd_pkts: 9, duplicate_request: 0 }),
            ],
          }),
        );
        expect(rows(html).map((row) => row.map((c) => c.replace(/ .*/s, '')))).toMatchObject([
          ['Counter', 'client', 'server'],
          [expect.stringContaining('rcvd_pkts'), '0', '4'],
          [expect.stringContaining('sent_pkts'), '1,250', '0'],
        ]);
        expect(html).toContain('Show 1 counter at zero');
      },
      'says of which there is no reading from before': () => {
        const html = draw(CountersPanel, fed({ events: [counters('pid 7', 'after', { sent_pkts: 3 })] }));
        expect(plain(/<caption.*?<\/caption>/s.exec(html)![0])).toMatch(
          /for pid 7, since the device was opened/,
        );
      },
    },
  },
  packets: {
    Content: PacketsPanel,
    empty: { running: 'Packets appear here', done: 'This run captured no packets' },
    cases: {
      'lists who sent what to whom': () => {
        const html = draw(PacketsPanel, captured(0, 20));
        expect(html).toContain('aria-rowcount="21"');
        const [first] = capture;
        expect(cells(html, 0)).toEqual(
          expect.arrayContaining([
            '1',
            first!.src,
            first!.dst,
            operationText(first!),
            String(first!.psn),
            String(first!.data.length - 14),
            detailText(first!),
          ]),
        );
      },
      'names retransmissions once the run is complete': () => {
        // The row itself, and what was sent before it.
        const model = captured(firstAgain - 5, 6);
        expect(draw(PacketsPanel, model)).not.toContain('retransmission: ');
        const html = draw(PacketsPanel, model, { session: { state: 'complete' } });
        expect(cells(html, 5).at(-1)).toBe(`retransmission: ${detailText(capture[firstAgain]!)}`);
      },
      'says how many were not captured, and leads to the file': () => {
        const capturedFile = { packets: 25, bytes: 9000, dropped: 5 };
        const html = draw(PacketsPanel, captured(0, 20, 5, { state: 'done', capture: capturedFile }));
        expect(shows(html, 'packets-missing')).toEqual(['5 packets were not captured.']);
        expect(plain(html)).toContain('exceeded a limit of the capture');
        expect(html).toContain('href="/packets?run=abcdefghij"');
      },
      'says that a program is sampled, and how to capture all of it': () => {
        const html = plain(draw(PacketsPanel, captured(0, 20, 5, PROGRAM)));
        expect(html).toContain('5 packets were not captured. The device keeps a sample');
        expect(html).toContain('npx verbslab exec --pcap FILE');
        expect(plain(draw(PacketsPanel, captured(0, 20, 0, PROGRAM)))).not.toContain('sample,');
      },
    },
  },
  verbs: {
    Content: VerbsPanel,
    empty: { running: 'Each verbs call appears here', done: 'No verbs call was recorded' },
    cases: {
      'shows arguments and result, and the error of a call that failed': () => {
        const html = draw(
          VerbsPanel,
          fed({
            events: [
              {
                kind: 'verb',
                endpoint: 'client',
                call: 'ibv_create_cq',
                args: { cqe: 16 },
                result: { cqe: 31 },
                durationNs: 1500,
              },
              {
                kind: 'verb',
                call: 'ibv_reg_mr',
                args: { length: 4096 },
                error: { code: 'ENOMEM', message: 'ibv_reg_mr failed.', cure: 'Raise the limit.' },
                durationNs: 0,
              },
            ],
          }),
        );
        expect(shows(html, 'verb-time')).toEqual(['1.50 µs', '']);
        expect(plain(html)).toMatch(/cqe = 16\).*returns \{\.cqe = 31\}/s);
        expect(html).toMatch(/text-error-ink[^>]*>.*ibv_reg_mr failed\. Raise the limit\./s);
      },
    },
  },
};
