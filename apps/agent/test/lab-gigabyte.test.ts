import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const gigabyte = findLab('gigabyte');
const SHORT = { megabytes: 20, repeat: 2, counted: 32 };

describe('the cost of a gigabyte', () => {
  it('says why system calls and shared memory are missing', async () => {
    const lab = tampered(gigabyte, {
      result: (op, result, endpoint) =>
        op === 'calls.start' && endpoint === 'server'
          ? { ...result, refused: 'ptrace: Operation not permitted' }
          : result,
    });
    const run = await finishLab(lab, { params: { ...SHORT, repeat: 1 }, env: { UROCE_LINK: 'udp' } });
    expect(failedChecks(run)).toEqual([]);
    expect(run.results.figures['tcp-calls']?.value).toBeNull();
    expect(run.results.figures['shm-cpu']?.value).toBeNull();
    expect(run.answer).not.toContain('system calls');
  });

  it('notices bytes that are missing, and calls that TCP cannot do without', async () => {
    const params = { ...SHORT, repeat: 1, links: 'udp' };
    const short = tampered(gigabyte, {
      result: (op, result, endpoint) =>
        op === 'loop.wait' && 'bytes' in result && endpoint === 'client'
          ? { ...result, bytes: result.bytes - 1 }
          : result,
    });
    expect(failedChecks(await finishLab(short, { params }))).toEqual(['moved']);
    const silent = tampered(gigabyte, {
      result: (op, result) =>
        op === 'calls.stop' && 'calls' in result
          ? { ...result, calls: result.calls.filter(({ call }) => call !== 'sendto') }
          : result,
    });
    expect(failedChecks(await finishLab(silent, { params }))).toEqual(['tcp-calls']);
  });

  it('notices socket calls on the way through shared memory, and CPU time that the kernel charged to no process', async () => {
    const lab = tampered(gigabyte, {
      result: (op, result) => {
        if (op === 'calls.stop' && 'calls' in result)
          return {
            ...result,
            // The device seems to send each message with a call: twice as many in the longer transfer.
            calls: [
              ...result.calls,
              { part: 'device' as const, call: 'sendmsg', count: (calls += 32), empty: 0 },
            ],
          };
        if (op === 'loop.wait' && 'cpu' in result)
          return { ...result, cpu: { ...result.cpu, appNs: result.cpu.appNs + 5e9 } };
        return result;
      },
    });
    let calls = 0;
    expect(failedChecks(await finishLab(lab, { params: { ...SHORT, repeat: 1 } }))).toEqual([
      'cpu',
      'no-calls',
    ]);
  });
});
