/** Policies of queue pairs on a page: rows of the charts, badges, and a page without them. */
import type { EmittedEvent, PolicyState } from '@verbslab/protocol';
import { PolicyHistory } from '@verbslab/report/policies';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { policyPlots, policyRows } from '../src/model/policy-rows';
import { queueList } from '../src/model/queue-list';
import { PANELS, PROGRAM_PANELS } from '../src/run/panel-list';
import { PolicyBadges } from '../src/run/policies/policy-badges';
import { QueueTable } from '../src/run/queues/queue-table';
import { fed, plain, PROGRAM } from './panels/case';

const PID = 'pid 7';
const state = (more: Partial<PolicyState> = {}): PolicyState => ({
  ...{ qpn: 17, recovery: 'go-back-n', congestion: 'dcqcn-nic', lineRate: 1e10, cnps: 0, marks: 0 },
  ...more,
});
const sample = (t: number, ...qps: PolicyState[]): EmittedEvent & { kind: 'policies' } => ({
  ...{ kind: 'policies', endpoint: PID, t, qps, others: 0 },
});
const queues: EmittedEvent = {
  ...{ kind: 'queues', endpoint: PID, t: 1e9, others: [] },
  queues: [
    { kind: 'SQ', number: 17, used: 5, size: 16, queued: 5 },
    { kind: 'RQ', number: 17, used: 0, size: 16 },
  ],
};
const run = (...events: EmittedEvent[]) => fed({ run: { ...PROGRAM, state: 'running' }, events });

function trackOf(...samples: (EmittedEvent & { kind: 'policies' })[]) {
  const history = new PolicyHistory();
  for (const one of samples) history.event(one);
  return history.track(PID, 17)!;
}

describe('the rows of the charts', () => {
  it('have the rate of the line while nothing limits it, a hole after the end, and the last state until now', () => {
    const limited = state({ rate: 2e9, target: 5e9, alphaPpm: 250_000, cnps: 1 });
    expect(policyRows(trackOf(sample(1e9, state()), sample(2e9, limited)), 3e9)).toEqual([
      { t: 1, rate: 10 },
      { t: 2, rate: 2, target: 5, alpha: 0.25 },
      { t: 3, rate: 2, target: 5, alpha: 0.25 },
    ]);
    expect(policyRows(trackOf(sample(1e9, state()), sample(2e9)), 3e9)).toEqual([
      { t: 1, rate: 10 },
      { t: 2 },
    ]);
  });

  it('keep the lowest and the highest rate where there are more than a chart can show', () => {
    const samples = Array.from({ length: 9000 }, (_, i) =>
      sample(i * 1e8, state({ rate: i === 4321 ? 1e6 : 5e9, target: 5e9 })),
    );
    const rows = policyRows(trackOf(...samples), 9e11);
    expect(rows.length).toBeLessThan(2500);
    expect(Math.min(...rows.map(({ rate }) => rate!))).toBe(0.001);
  });

  it('are those of the law', () => {
    const titles = (congestion: string) =>
      policyPlots({ congestion }).map(({ title, unit }) => [title, unit]);
    expect(titles('dcqcn-paper')).toEqual([
      ['Rate and target rate', 'Gb/s'],
      ['Alpha', 'of 1'],
    ]);
    expect(titles('timely')[0]).toEqual(['Rate', 'Gb/s']);
    expect(titles('swift')[0]).toEqual(['Window', 'KiB']);
    expect(titles('none')).toEqual([]);
  });
});

describe('the badge of a policy', () => {
  it('stands in the head of the run once per policy, with what is not standard', () => {
    const model = run(sample(1e9, state(), state({ qpn: 18 }), state({ qpn: 19, congestion: 'swift' })));
    const html = renderToStaticMarkup(<PolicyBadges model={model} />);
    expect([...html.matchAll(/data-shows="policy"/g)]).toHaveLength(2);
    expect(plain(html)).toContain('DCQCN (NIC)RoCE v2 defines the CNP');
    expect(plain(html)).toContain('SwiftSwift is not part of RoCE v2.');
  });

  it('stands at the send queue of its queue pair alone', () => {
    const badges = (model: ReturnType<typeof run>) => {
      const html = renderToStaticMarkup(<QueueTable rows={queueList(model).rows} several={false} />);
      return [...html.matchAll(/<tr.*?<\/tr>/gs)].flatMap(([row]) =>
        row.includes('data-shows="policy"') ? [/data-queue="(\w+)/.exec(row)![1]] : [],
      );
    };
    expect(badges(run(queues, sample(1e9, state())))).toEqual(['SQ']);
    expect(badges(run(queues))).toEqual([]);
  });
});

it('a run whose queue pairs all have the default policy has no panel of policies', () => {
  for (const panels of [PANELS, PROGRAM_PANELS]) {
    const { wanted } = panels.find(({ id }) => id === 'policies')!;
    expect(wanted!(run(queues))).toBe(false);
    expect(wanted!(run(sample(1e9, state())))).toBe(true);
  }
});

it('the head and the panels hear of a queue pair’s first sample and of a change of recovery, not of every sample', () => {
  const versions = (...events: EmittedEvent[]) => run(...events).version;
  const [one, two] = [
    versions(sample(1, state())),
    versions(sample(1, state()), sample(2, state({ cnps: 1 }))),
  ];
  expect(two.record).toBe(one.record);
  expect(two.state).toBe(one.state);
  expect(two.policies).toBe(one.policies + 1);
  const asked = state({ recovery: 'selective-repeat', recoveryInEffect: 'go-back-n' });
  const heard = versions(sample(1, asked), sample(2, state({ recovery: 'selective-repeat' })));
  expect(heard.record).toBe(one.record + 1);
});
