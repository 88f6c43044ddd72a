import { PROGRAM_VIEW, type EmittedEvent, type RunRecord } from '@verbslab/protocol';
import { problemList } from '@verbslab/report/failure';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { RunSession } from '../src/connection/run-sessions';
import type { RunView } from '../src/connection/run-view';
import { RunModel } from '../src/model/run-model';
import ProblemsPanel from '../src/run/panels/problems';
import { StateBadge } from '../src/ui/state-badge';
import { record, Stream } from './stream';

const wc = (status: number) =>
  ({ kind: 'completion', endpoint: 'pid 1', wc: { status, qpn: 17 } }) as unknown as EmittedEvent;

function model(events: EmittedEvent[], change: Partial<RunRecord> = {}): RunModel {
  const run = new RunModel(record({ lab: 'program', state: 'done', ...change }));
  const s = new Stream();
  for (const event of events) run.event(s.event(event));
  return run;
}
const draw = (run: RunModel) =>
  renderToStaticMarkup(
    <ProblemsPanel
      view={{ model: run } as RunView}
      session={{} as RunSession}
      lab={PROGRAM_VIEW}
      table={false}
    />,
  );

const timeouts: EmittedEvent = {
  kind: 'counter',
  endpoint: 'pid 1',
  when: 'sample',
  values: { local_ack_timeout_err: 3, retransmitted_pkts: 384, sent_pkts: 1000 },
};

describe('errors and misuse', () => {
  it('lists counters of the error class, with a sentence each', () => {
    const html = draw(model([timeouts]));
    expect(html).not.toContain('Nothing went wrong');
    expect(html).toContain('3 ACK timeouts.');
    expect(html).toContain('384 packets retransmitted.');
    expect(html).toContain('No acknowledgment came in time');
    expect(html).toContain('Packets or their acknowledgments were lost or late.');
    expect(html).toContain('data-problems="1"');
  });

  it('takes the flush of queued work requests for the end of a connection, not for an error', () => {
    const run = model([wc(5)]);
    expect(problemList(run)).toMatchObject({ groups: [], flushes: [{}] });
    const html = draw(run);
    expect(html).toContain('Nothing went wrong.');
    expect(html).toContain('data-flushes="1"');
    expect(html).not.toContain('text-error-ink');
  });

  it('counts what a lab causes on purpose, and lists the rest', () => {
    const at = (endpoint: string, status: number) =>
      ({ kind: 'completion', endpoint, wc: { status, qpn: 17 } }) as unknown as EmittedEvent;
    const intended: EmittedEvent = {
      kind: 'intended',
      refusals: [{ role: 'client', statuses: [10], counters: ['local_ack_timeout_err'] }],
    };
    const moved: EmittedEvent = { ...timeouts, endpoint: 'client' };
    const caused = [intended, at('client', 10), at('client', 10)];
    const quiet = draw(model(caused, { lab: 'memory-windows' }));
    expect(quiet).toContain('Nothing went wrong except what this lab causes on purpose.');
    expect(quiet).toContain('2 errors are not listed: this lab causes them on purpose.');
    expect(quiet).toContain('REM_ACCESS_ERR.');
    const run = model([...caused, moved, at('client', 12), at('server', 10)], { lab: 'memory-windows' });
    expect(problemList(run)).toMatchObject({
      // The request that was given up has the retransmissions.
      groups: [
        { parts: [{ wc: { status: 12 } }], faults: [{ name: 'retransmitted_pkts' }] },
        { parts: [{ endpoint: 'server' }], faults: [] },
      ],
      intended: 3,
      intendedNames: ['REM_ACCESS_ERR', 'local_ack_timeout_err'],
    });
    expect(draw(model([at('client', 10)], { lab: 'memory-windows' }))).not.toContain('on purpose');
  });

  it('lists an error that comes more often than the lab announced', () => {
    const at = (t: number) =>
      ({ kind: 'completion', endpoint: 'client', t, wc: { status: 10, qpn: 17 } }) as unknown as EmittedEvent;
    const intended: EmittedEvent = {
      kind: 'intended',
      refusals: [{ role: 'client', most: 1, statuses: [10] }],
    };
    expect(problemList(model([intended, at(1)]))).toMatchObject({ groups: [], intended: 1 });
    const twice = problemList(model([intended, at(2), at(1)]));
    expect(twice).toMatchObject({ groups: [{ parts: [{ t: 2 }] }], intended: 1 });
  });

  it('says what ended a run in which nothing reported an error', () => {
    const error = { code: 'PEER_LOST', message: 'The connection to lab2 ended.' } as RunRecord['error'];
    const html = draw(model([], { state: 'failed', error }));
    expect(html).not.toContain('Nothing went wrong');
    expect(html).toContain('The run failed: The connection to lab2 ended.');
    expect(draw(model([], { state: 'cancelled', error }))).toContain('Nothing went wrong.');
  });

  it('lists leaks in the order in which they can be freed', () => {
    const calls = ['ibv_open_device', 'ibv_alloc_pd', 'ibv_reg_mr', 'ibv_create_cq', 'ibv_create_qp'];
    const leaks = calls.map(
      (call) =>
        ({
          kind: 'finding',
          id: 'object-leaked',
          endpoint: 'pid 1',
          call,
          object: call,
          count: 1,
          where: null,
        }) as unknown as EmittedEvent,
    );
    const { groups } = problemList(model(leaks));
    expect(groups.map(({ parts }) => parts.map((p) => p.kind === 'finding' && p.call))).toEqual([
      calls.toReversed(),
    ]);
    expect(draw(model(leaks))).toContain('pid 1 left 5 objects behind.');
  });

  it('shows what failed in red, beside the flushes that followed', () => {
    const html = draw(model([wc(12), wc(5)]));
    expect(html).toContain('RETRY_EXC_ERR');
    expect(html).toContain('text-error-ink');
    expect(html).toContain('data-problems="1"');
  });

  it('puts what was done wrong before counters, and leaks last', () => {
    const finding = (id: string, object: string, t: number): EmittedEvent => ({
      kind: 'finding',
      id,
      call: 'ibv_open_device',
      object,
      count: 1,
      detail: 'the QP was in state RESET',
      where: 'main, bad.c:25',
      cure: 'Call ibv_close_device before exit.',
      t,
    });
    const run = model([
      finding('object-leaked', 'context #1', 1),
      timeouts,
      finding('post-wrong-state', 'QP 0x000011', 2),
    ]);
    expect(problemList(run).groups).toHaveLength(3);
    const html = draw(run);
    expect(html).toMatch(
      /the QP was in state RESET.*3 ACK timeouts.*Leaked context #1 \(opened by main, bad\.c:25\)\./s,
    );
    expect(html).not.toContain('Source lines are missing');
  });

  it('shows all that reports one request as one problem', () => {
    const qp = (endpoint: string, qpn: number, dest_qp_num: number): EmittedEvent => ({
      kind: 'qp',
      endpoint,
      qpn,
      from: 'INIT',
      to: 'RTR',
      attrs: { dest_qp_num },
    });
    const refused: EmittedEvent = { kind: 'async', endpoint: 'pid 2', event: 'QP_ACCESS_ERR', qpn: 18 };
    const run = model([qp('pid 1', 17, 18), qp('pid 2', 18, 17), refused, wc(10), wc(5)]);
    const html = draw(run);
    expect(html).toContain('data-problems="1"');
    expect(html).toMatch(
      /data-problem="completion".*REM_ACCESS_ERR.*1 more report of it.*IBV_EVENT_QP_ACCESS_ERR/s,
    );
  });

  it('lists the checks of a lab that do not hold', () => {
    const check: EmittedEvent = { kind: 'check', id: 'x', ok: false, detail: '3 bytes differ.' };
    expect(draw(model([check, timeouts], { lab: 'bulk' }))).toMatch(/data-problems="2".*3 bytes differ\./s);
  });
});

describe('the state of a run in lists', () => {
  it('says how many problems it has', () => {
    expect(renderToStaticMarkup(<StateBadge state="done" problems={9} />)).toMatch(/done.*9 problems/);
    expect(renderToStaticMarkup(<StateBadge state="done" problems={0} />)).not.toContain('problem');
  });
});
