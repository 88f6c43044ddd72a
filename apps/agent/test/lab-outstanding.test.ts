import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const outstanding = findLab('outstanding');
const SHORT = { largest: 8, duration: 20, repeat: 1, delay: 200 };

describe('requests in flight', () => {
  it.each([
    ['udp', 'write'],
    ['auto', 'read'],
  ] as const)('holds on the link %s with %s', async (link, operation) => {
    const run = await finishLab(outstanding, { params: { ...SHORT, link, operation } });
    expect(failedChecks(run)).toEqual([]);
    expect(run.checks.map(({ id }) => id).sort()).toEqual(['little', 'too-many']);
    const { curves, figures, tables } = run.results;
    const of = (series: string): number[] =>
      curves.goodput?.flatMap((point) => (point.series === series ? [point.y ?? 0] : [])) ?? [];
    expect(tables.depths?.map(({ depth }) => depth)).toEqual([1, 2, 4, 8]);
    const [one = 0, ...others] = of('computed');
    others.forEach((gbps, i) => expect(gbps).toBeCloseTo(one * 2 ** (i + 1), 9));
    expect(of('measured').every((gbps) => gbps > 0)).toBe(true);
    expect(figures.accepted?.value).toBe(8);
    // A packet that is held for 200 µs cannot be answered sooner.
    expect(figures['alone-latency']?.value).toBeGreaterThan(200);
    const gbps = figures.best?.value ?? 0;
    const us = figures['alone-latency']?.value ?? 0;
    expect(figures.product?.value).toBeCloseTo((gbps * us * 1000) / 8, 3);
  });

  it('notices more in flight than allowed, and a queue that takes more than it holds', async () => {
    const lab = tampered(outstanding, {
      args: (op, args) =>
        op === 'createQp' && 'maxSendWr' in args ? { ...args, maxSendWr: (args.maxSendWr ?? 0) * 2 } : args,
      result: (op, result) =>
        op === 'loop.wait' && 'messages' in result ? { ...result, messages: result.messages * 100 } : result,
    });
    const run = await finishLab(lab, { params: SHORT });
    expect(failedChecks(run)).toEqual(['little', 'too-many']);
  });
});
