// Text of the panel “Loss and delay” on the faults in effect, from the events of a run.
import type { Faults, RunEventOf } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { NOTHING } from '../src/run/faults/draft';
import { changedText, common, inEffect, nowText } from '../src/run/faults/in-effect';
import { underWay } from '../src/run/faults/use-injection';

const LOSS: Faults = { rates: { drop: 0.01, seed: '0x1' } };

function run(endpoints: string[], changes: [endpoint: string, faults: Faults][] = []) {
  const faults = changes.map(([endpoint, one], i): RunEventOf<'faults'> => ({
    kind: 'faults',
    seq: i + 1,
    t: i,
    endpoint,
    ...one,
  }));
  return { faults, endpoints: new Map(endpoints.map((name) => [name, null])) };
}

describe('what is in effect', () => {
  it('is said once where all endpoints have it', () => {
    expect(nowText(run(['client', 'server']))).toBe('');
    const both = run(['client', 'server'], [['client', LOSS], ['server', LOSS]]); // oxfmt-ignore
    expect(nowText(both)).toBe('1 % loss');
    expect(changedText(both)).toBe('settings changed once');
  });

  it('names the endpoint where only one has it', () => {
    const one = run(['client', 'server'], [['client', LOSS]]);
    expect(nowText(one)).toBe('client: 1 % loss; server: none');
    expect(common(inEffect(one), null)).toBeNull();
    expect(common(inEffect(one), 'server')).toEqual({});
    expect(nowText(run(['a', 'b', 'c'], [['b', LOSS]]))).toBe('b: 1 % loss; others: none');
  });

  it('differs by the seed and by each rule, too', () => {
    const rule = { action: 'drop', times: 1 } as const;
    for (const other of [
      { rates: { drop: 0.01, seed: '0x2' } },
      { ...LOSS, rules: [rule] },
    ] satisfies Faults[]) {
      const model = run(['client', 'server'], [['client', LOSS], ['server', other]]); // oxfmt-ignore
      expect(common(inEffect(model), null)).toBeNull();
    }
  });
});

describe('a change that a person asks for', () => {
  const draft = { ...NOTHING, dials: { ...NOTHING.dials, drop: 0.01 } };
  const asked = { endpoint: null, draft, since: 0, told: ['client', 'server'] };

  it('is under way until each endpoint has told of it', () => {
    expect(underWay(run([]), { ...asked, told: null })).toBe(true);
    expect(underWay(run([], [['client', LOSS]]), asked)).toBe(true);
    expect(underWay(run([], [['client', LOSS], ['server', LOSS]]), asked)).toBe(false); // oxfmt-ignore
  });

  it('is over though somebody else has changed it since', () => {
    const later = run([], [['client', LOSS], ['server', LOSS], ['client', {}]]); // oxfmt-ignore
    expect(underWay(later, asked)).toBe(false);
  });

  it('needs no word of what was so before', () => {
    const nothing = { ...asked, draft: NOTHING, since: 1 };
    expect(underWay(run([], [['client', LOSS]]), nothing)).toBe(true);
    expect(underWay(run([], [['client', LOSS], ['client', {}]]), nothing)).toBe(false); // oxfmt-ignore
  });
});
