import { findLab } from '@verbslab/labs';
import type { EndpointResult } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const cqOverrun = findLab('cq-overrun');

describe('a completion queue that overruns', () => {
  it('notices every figure that should be another', async () => {
    const lab = tampered(cqOverrun, {
      result: (op, result, endpoint) => {
        if (op === 'queryQp' && 'state' in result) return { ...result, state: 'RTS' as const };
        if (endpoint !== 'client' || !('completions' in result)) return result;
        if (op === 'waitCq') return { ...result, completions: result.completions.slice(1) };
        const twice = [...result.completions, ...result.completions];
        return { ...result, completions: twice.map((wc) => ({ ...wc, status: 0 })) };
      },
    });
    const run = await finishLab(lab, { params: { entries: 4 } });
    expect(failedChecks(run)).toEqual(['fits', 'overrun', 'fatal', 'useless', 'resized']);
  });

  it('says nothing of a QP that the device leaves in RTS, as the kernel’s rxe does', async () => {
    const lab = tampered(cqOverrun, {
      result: (op, result) => {
        if (op === 'queryQp' && 'state' in result) return { ...result, state: 'RTS' as const };
        if (op !== 'waitAsync') return result;
        const { events } = result as EndpointResult<'waitAsync'>;
        return { ...result, events: events.filter(({ event }) => event !== 'QP_FATAL') };
      },
    });
    const { checks } = await finishLab(lab, { params: { entries: 4 } });
    expect(checks.flatMap(({ id, applies }) => (applies === false ? [id] : []))).toEqual([
      'fatal',
      'useless',
    ]);
  });

  it('notices a queue that did not grow', async () => {
    const lab = tampered(cqOverrun, {
      args: (op, args) => (op === 'resizeCq' && 'depth' in args ? { ...args, depth: 16 } : args),
    });
    expect(failedChecks(await finishLab(lab))).toEqual(['resized']);
  });
});
