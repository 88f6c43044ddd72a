import { noResults, type Check, type RunResult } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { findLab, liveText, unitBeside, type LiveValue } from '../src/index.js';

describe('a value in the text of a lab', () => {
  const read = (lab: string, parameters: Record<string, unknown>, checks: Check[] = []) => {
    const run = {
      record: { parameters, result: { checks } as unknown as RunResult },
      results: noResults(),
    } as Parameters<typeof liveText>[2];
    return (of: LiveValue['of'], name: string) =>
      liveText({ kind: 'value', of, name }, findLab(lab).description, run);
  };

  it('is a parameter as it was chosen', () => {
    const lost = read('loss-amplification', { loss: 0.5, size: 65_536, link: 'udp' });
    expect(lost('param', 'loss')).toBe('0.5\u00a0%');
    expect(lost('param', 'size')).toBe('64\u00a0KiB');
    expect(lost('param', 'link')).not.toBe('');
    const edited = read('header-explorer', { edit: 'reth.dmaLength=+64', packet: 'read' });
    // Text of its own is no choice, whose first letter may change.
    expect(edited('param', 'edit')).toBe('reth.dmaLength=+64');
    expect(read('bulk', { depth: 1 })('param', 'depth')).toBe('1\u00a0WR');
  });

  it('is what the run found, or says that it did not', () => {
    const check = { id: 'refused', ok: true, detail: 'All 3 were refused.' } as Check;
    const facts = read('device-facts', {}, [check, { ...check, id: 'mtu-fits', applies: false }]);
    expect(facts('check', 'refused')).toBe('check passed');
    expect(facts('finding', 'refused')).toBe('All 3 were refused.');
    expect(facts('check', 'mtu-fits')).toBe('not checked');
    expect(facts('check', 'gids-tied')).toBe('not checked');
    expect(facts('finding', 'gids-tied')).toBe('not checked');
    expect(facts('figure', 'active-mtu')).toBe('–');
    expect(facts('outcome', 'beyond-limit')).toBe('not measured');
  });

  it('is a deviation with its direction in words', () => {
    const lab = findLab('loss-policies').description;
    const text = (value: number | null): string =>
      liveText({ kind: 'value', of: 'deviation', name: 'residual' }, lab, {
        record: { parameters: {}, result: null },
        results: { ...noResults(), figures: { residual: { value } } },
      });
    expect(text(-10.2)).toBe('10.2\u00a0% below');
    expect(text(3)).toBe('3\u00a0% above');
    expect(text(0)).toBe('0\u00a0% above');
    expect(text(null)).toBe('–');
  });
});

it.each([
  ['1', 'packets', 'packet'],
  ['2', 'packets', 'packets'],
  ['1.00', 'packets', 'packets'],
  ['1', 'WRs', 'WR'],
  ['1', 'entries', 'entry'],
  ['1', 'losses', 'loss'],
  ['1', 'round trips', 'round trip'],
  ['1', 'ms', 'ms'],
  ['1', 's', 's'],
  ['1', 'k msg/s', 'k msg/s'],
])('%s %s is written with %s', (shown, unit, beside) => {
  expect(unitBeside(shown, unit)).toBe(beside);
});
