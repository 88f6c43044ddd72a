import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';
import { rows, runLab, unmet } from './helpers/lab-run.js';

const ID = 'send-recv';

describe('SEND and RECV', () => {
  it('needs fewer packets for a burst with credits than without', async () => {
    const lab = await runLab(ID, { burst: 8, recvs: 1 });
    expect(unmet(lab)).toEqual([]);
    const [blind, counted] = rows(lab, 'bursts').map(({ packets }) => Number(packets));
    expect(counted).toBe(8);
    expect(blind).toBeGreaterThan(8);
  });

  it('notices other bytes at the server, in the bursts as well', async () => {
    const lab = tampered(findLab(ID), {
      result: (op, result, endpoint) =>
        op === 'hashMemory' && endpoint === 'server' ? { ...result, sha256: 'other' } : result,
    });
    expect(failedChecks(await finishLab(lab))).toEqual(['data', 'scatter', 'rnr', 'credits']);
  });
});
