import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered, tooBusyChecks } from './helpers/lab-results.js';

const latency = findLab('latency');
const SHORT = { duration: 50, repeat: 2 };

describe('the latency lab', () => {
  it('says why shared memory is left out', async () => {
    const env = { UROCE_LINK: 'udp' };
    const run = await finishLab(latency, { params: { ...SHORT, repeat: 1 }, env });
    expect(failedChecks(run)).toEqual([]);
    expect(run.results.figures['write-shm']?.value).toBeNull();
    expect(run.results.tables.ways).toHaveLength(4);
    await expect(finishLab(latency, { params: { ...SHORT, links: 'shm' }, env })).rejects.toMatchObject({
      code: 'MISSING_CAPABILITY',
    });
  });

  it('works when both ends poll', async () => {
    const run = await finishLab(latency, { params: { ...SHORT, repeat: 1, wait: 'poll', links: 'udp' } });
    expect(failedChecks(run)).toEqual([]);
  });

  it('measures a round again in which no round trip ended, and says where none ended at all', async () => {
    const params = { ...SHORT, repeat: 2, links: 'udp' };
    let empty = 0;
    const busy = (rounds: number) =>
      tampered(latency, {
        result: (op, result, endpoint) => {
          if (op !== 'loop.wait' || !('latency' in result) || endpoint !== 'client' || ++empty > rounds)
            return result;
          const { latency: times } = result;
          return { ...result, messages: 0, bytes: 0, latency: { ...times, count: 0, distribution: [] } };
        },
      });
    const once = await finishLab(busy(1), { params });
    expect([failedChecks(once), tooBusyChecks(once)]).toEqual([[], []]);
    empty = 0;
    const often = await finishLab(busy(5), { params });
    expect([failedChecks(often), tooBusyChecks(often)]).toEqual([[], ['samples']]);
  });

  it('notices samples that are missing or out of order, messages without an answer, and bytes that did not arrive', async () => {
    const params = { ...SHORT, repeat: 1, links: 'udp' };
    const lossy = tampered(latency, {
      result: (op, result, endpoint) => {
        if (op === 'loop.wait' && 'latency' in result && endpoint === 'client')
          return { ...result, latency: { ...result.latency, distribution: [[1000, 3]] } };
        if (op === 'hashMemory' && 'sha256' in result && endpoint === 'server')
          return { ...result, sha256: 'another' };
        return result;
      },
    });
    expect(failedChecks(await finishLab(lossy, { params }))).toEqual(['samples', 'bytes']);
    const upsideDown = tampered(latency, {
      result: (op, result, endpoint) =>
        op === 'loop.wait' && 'latency' in result && endpoint === 'client'
          ? {
              ...result,
              latency: { ...result.latency, distribution: result.latency.distribution?.toReversed() },
            }
          : result,
    });
    expect(failedChecks(await finishLab(upsideDown, { params }))).toEqual(['rising']);
    const deaf = tampered(latency, {
      result: (op, result, endpoint) =>
        op === 'loop.wait' && 'messages' in result && endpoint === 'server'
          ? { ...result, messages: 0 }
          : result,
    });
    expect(failedChecks(await finishLab(deaf, { params }))).toEqual(['answered']);
  });
});
