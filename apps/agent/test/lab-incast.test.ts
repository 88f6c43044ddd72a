import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';
import { figures, runLab, unmet } from './helpers/lab-run.js';

const SHORT = { clients: 2, duration: 40, repeat: 1 };
/** Whether a small request of so short a run waits longer is the machine’s affair. */
const TIMED = ['less', 'waits'];
const lasting = (ids: readonly string[]): string[] => ids.filter((id) => !TIMED.includes(id));

describe('an incast', () => {
  it('of SENDs makes the server run out of RECVs, and loses none', async () => {
    const lab = await runLab('incast', { ...SHORT, op: 'send', recvs: 1 });
    expect(lasting(unmet(lab).map(({ id }) => id))).toEqual([]);
    expect(figures(lab).naks).toBeGreaterThan(0);
  });

  it('notices data that is not the client’s, and RNR NAKs where none may be', async () => {
    let counted = 0;
    const lab = tampered(findLab('incast'), {
      result: (op, result, endpoint) => {
        if (op === 'hashMemory' && endpoint === 'client-2') return { ...result, sha256: 'another' };
        if (op === 'counters' && endpoint === 'server' && 'values' in result)
          return { ...result, values: { ...result.values, send_rnr_err: counted++ } };
        return result;
      },
    });
    expect(lasting(failedChecks(await finishLab(lab, { params: SHORT })))).toEqual(['arrived', 'rnr']);
  });
});
