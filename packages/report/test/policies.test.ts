import type { PolicyState } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import { PolicyHistory, policiesOf, policyLines, policyName, policyText } from '../src/policies/index.js';

const state = (qpn: number, more: Partial<PolicyState> = {}): PolicyState => ({
  ...{ qpn, recovery: 'go-back-n', congestion: 'dcqcn-nic', cnps: 0, marks: 0 },
  ...more,
});

function historyOf(
  ...samples: [t: number, qps: PolicyState[], others?: number, endpoint?: string][]
): PolicyHistory {
  const history = new PolicyHistory();
  for (const [t, qps, others = 0, endpoint = 'pid 1'] of samples)
    history.event({ kind: 'policies', endpoint, t, qps, others });
  return history;
}

it('keeps the states of each queue pair, and when it was gone', () => {
  const history = historyOf(
    [10, [state(1), state(2)]],
    [20, [state(1, { rate: 5e9, cnps: 1 }), state(2)]],
    [30, [state(2)]],
    [40, []],
  );
  expect(history.tracks.map(({ qpn }) => qpn)).toEqual([1, 2]);
  const first = history.track('pid 1', 1)!;
  expect(first.states.map(({ t, state: at }) => [t, at?.rate ?? null, at?.cnps ?? null])).toEqual([
    [10, null, 0],
    [20, 5e9, 1],
    [30, null, null],
  ]);
  expect(first.last.cnps).toBe(1);
  expect(history.track('pid 1', 2)!.states.at(-1)).toEqual({ t: 40, state: null });
  expect(history.track('pid 2', 1)).toBeNull();
  expect(history.event({ kind: 'note', text: 'another event' })).toBe(false);
});

it('says which recovery is in effect, and when that changes', () => {
  const asked = { recovery: 'selective-repeat', congestion: 'none' };
  const history = historyOf(
    [10, [state(1, { ...asked, recoveryInEffect: 'go-back-n' }), state(2, asked)]],
    [20, [state(1, { ...asked, recoveryInEffect: 'go-back-n', cnps: 1 }), state(2, asked)]],
  );
  expect(policyLines(history)).toEqual([
    'selective repeat asked, go-back-N in effect on 1 QP: 1 CNP',
    'selective repeat on 1 QP: 0 CNPs',
  ]);
  expect(history.changes).toBe(2);
  history.event({ kind: 'policies', endpoint: 'pid 1', t: 30, qps: [state(1, asked)], others: 0 });
  expect(history.changes).toBe(3);
  expect(policyLines(history)).toEqual(['selective repeat on 2 QPs: 0 CNPs']);
});

it('says a policy in a line, with what the queue pairs that have it saw', () => {
  const history = historyOf(
    [10, [state(1, { rate: 4.5e9, cnps: 2 }), state(2, { cnps: 1, marks: 7 })], 3],
    [20, [state(1, { rate: 9e9, cnps: 2 }), state(2, { cnps: 1, marks: 7 })], 1],
    [20, [state(9, { recovery: 'go-back-0', congestion: 'none' })], 0, 'pid 2'],
  );
  expect(policyLines(history)).toEqual([
    'DCQCN (NIC) on 2 QPs: 3 CNPs, 7 packets received with ECN 3, lowest sampled rate 4.50 Gb/s',
    'go-back-0 on 1 QP: 0 CNPs',
    '3 more QPs with such a policy not sampled',
  ]);
  expect(policiesOf(history).map(({ qps }) => qps)).toEqual([2, 1]);
  expect(policyLines(new PolicyHistory())).toEqual([]);
});

it('names what is not the default, and what is not standard about it', () => {
  expect(policyName({ recovery: 'go-back-n', congestion: 'none' })).toBe('');
  expect(policyText({ recovery: 'go-back-n', congestion: 'none' })).toBe('');
  expect(policyName({ recovery: 'go-back-0', congestion: 'swift' })).toBe('go-back-0 · Swift');
  expect(policyText({ recovery: 'go-back-0', congestion: 'swift' })).toMatch(
    /not standard.*not part of RoCE/,
  );
  const selective = { recovery: 'selective-repeat', congestion: 'none' };
  expect(policyName(selective)).toBe('selective repeat');
  expect(policyText(selective)).toContain('Both ends have chosen it.');
  const goesBack = { ...selective, recoveryInEffect: 'go-back-n' };
  expect(policyName(goesBack)).toBe('selective repeat asked, go-back-N in effect');
  expect(policyText(goesBack)).toMatch(/No packet from the peer .*go-back-N/);
  expect(policyText(goesBack)).not.toContain('Both ends');
  // A policy of a later version.
  expect(policyName({ recovery: 'later', congestion: 'bbr' })).toBe('later · bbr');
  expect(policyText({ recovery: 'later', congestion: 'bbr' })).toContain('does not know the recovery later');
});
