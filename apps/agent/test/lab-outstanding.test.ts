import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered, tooBusyChecks } from './helpers/lab-results.js';

const outstanding = findLab('outstanding');
const SHORT = { largest: 8, duration: 20, repeat: 1, delay: 200 };

describe('requests in flight', () => {
  it('is bounded by initiator_depth for READs, and not for WRITEs', async () => {
    const delay = 1000;
    const size = 4096;
    const fastest = async (operation: string) => {
      const params = { ...SHORT, repeat: 5, duration: 100, size, delay, operation, initiatorDepth: 1 };
      const run = await finishLab(outstanding, { params });
      return Math.max(...run.results.tables.depths!.map(({ gbps }) => Number(gbps)));
    };
    // Largest rate with one READ at a time, whose answer is held for 1 ms, Gb/s.
    const one = (size * 8) / (delay * 1000);
    expect(await fastest('read')).toBeLessThan(1.2 * one);
    expect(await fastest('write')).toBeGreaterThan(1.5 * one);
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

  it('cannot tell where the machine let no request complete', async () => {
    const idle = tampered(outstanding, {
      result: (op, result) =>
        op === 'loop.wait' && 'messages' in result ? { ...result, messages: 0 } : result,
    });
    const run = await finishLab(idle, { params: SHORT });
    expect(failedChecks(run)).toEqual([]);
    expect(tooBusyChecks(run)).toEqual(['little']);
  });
});
