import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered, tooBusyChecks } from './helpers/lab-results.js';
import { figures, runLab, unmet } from './helpers/lab-run.js';

const SHORT = { clients: 2, duration: 40, repeat: 1 };
/** Enough repetitions to show a difference. */
const CLEAR = 5;

/** Clients that are a million times as fast together as alone, and a small request that is faster beside them. */
function fasterTogether() {
  let [starting, together] = [0, 0];
  return tampered(findLab('incast'), {
    args: (op, args, endpoint) => {
      if (op !== 'loop.start') return args;
      if (endpoint !== 'probe') starting++;
      // The probe starts after the clients.
      else [starting, together] = [0, starting];
      return args;
    },
    result: (op, result, endpoint) => {
      if (op !== 'loop.wait' || !('latency' in result)) return result;
      const { latency } = result;
      if (endpoint === 'probe')
        return together === 0 ? result : { ...result, latency: { ...latency, meanNs: latency.meanNs / 1e6 } };
      // All clients seem to send at the same time, whatever the machine did.
      return { ...result, startedAt: 0, elapsedNs: together > 1 ? 1 : 1e9 };
    },
  });
}

describe('an incast', () => {
  it('of SENDs makes the server run out of RECVs, and loses none', async () => {
    const lab = await runLab('incast', { ...SHORT, op: 'send', recvs: 1 });
    expect(unmet(lab)).toEqual([]);
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
    expect(failedChecks(await finishLab(lab, { params: SHORT }))).toEqual(['arrived', 'rnr']);
  });

  it('notices clients and requests that are faster together, and cannot tell by a single repetition', async () => {
    const params = { ...SHORT, link: 'udp' };
    const clear = await finishLab(fasterTogether(), { params: { ...params, repeat: CLEAR } });
    expect([failedChecks(clear), tooBusyChecks(clear)]).toEqual([['less', 'waits'], []]);
    const once = await finishLab(fasterTogether(), { params });
    expect([failedChecks(once), tooBusyChecks(once)]).toEqual([[], ['less', 'waits']]);
  });
});
