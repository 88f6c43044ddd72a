import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';
import { figures, LINKS, outcomes, rows, runLab, unmet } from './helpers/lab-run.js';

const PASSES = '0 SUCCESS';
const REFUSED = '10 REM_ACCESS_ERR';

describe('access rights and memory windows', () => {
  it.each(LINKS)('on the link %s: each right opens one verb, and a window a part', async (link) => {
    const lab = await runLab('memory-windows', {}, { UROCE_LINK: link });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks).toHaveLength(10);
    expect(lab.checks.some(({ applies }) => applies === false)).toBe(false);
    expect(
      rows(lab, 'rights').map(({ send, write, read, fetchAdd }) => [send, write, read, fetchAdd]),
    ).toEqual([
      [PASSES, REFUSED, REFUSED, REFUSED],
      [PASSES, PASSES, REFUSED, REFUSED],
      ['11 REM_OP_ERR', REFUSED, PASSES, REFUSED],
      [PASSES, REFUSED, REFUSED, PASSES],
    ]);
    const limits = [PASSES, REFUSED, REFUSED, REFUSED];
    const takenBack = [PASSES, REFUSED, REFUSED];
    expect(rows(lab, 'windows').map(({ status }) => status)).toEqual([
      ...[...limits, ...limits],
      ...[...takenBack, ...takenBack],
    ]);
    expect(figures(lab)).toEqual({
      passed: 3,
      refused: 19,
      'local-inv': 10,
      'send-inv': 10,
      'bind-status': 6,
    });
    expect(outcomes(lab)).toEqual({ 'after-inv': 'refused' });
  });

  it('notices regions and windows that grant more than they should', async () => {
    const lab = tampered(findLab('memory-windows'), {
      args: (op, args, endpoint) => {
        if (op === 'regMr' && endpoint === 'server' && 'access' in args)
          return {
            ...args,
            access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ', 'REMOTE_ATOMIC', 'MW_BIND'],
          };
        return args;
      },
    });
    expect(failedChecks(await finishLab(lab)).sort()).toEqual([
      'needs-local-write',
      'needs-mw-bind',
      'own-right',
      'send-right',
      'type-1',
      'type-2',
    ]);
  });

  it('notices refusals without event or NAK 0x62, and a completion that names another rkey', async () => {
    const lab = tampered(findLab('memory-windows'), {
      result: (op, result) => {
        if (op === 'waitAsync' && 'events' in result) return { ...result, events: [] };
        if (op === 'tap.flush' && 'list' in result)
          return { ...result, list: result.list.map((packet) => ({ ...packet, syndrome: 0x61 })) };
        if (op === 'waitCq' && 'completions' in result)
          return {
            ...result,
            completions: result.completions.map((wc) =>
              wc.invalidatedRkey === undefined ? wc : { ...wc, invalidatedRkey: wc.invalidatedRkey ^ 1 },
            ),
          };
        return result;
      },
    });
    expect(failedChecks(await finishLab(lab)).sort()).toEqual(['both-know', 'nak', 'send-inv']);
  });

  it('refuses a device without memory windows before anything else', async () => {
    const lab = tampered(findLab('memory-windows'), {
      result: (op, result) =>
        op === 'attributes' && 'device' in result
          ? { ...result, device: { ...result.device, max_mw: 0 } }
          : result,
    });
    await expect(finishLab(lab)).rejects.toMatchObject({
      code: 'MISSING_CAPABILITY',
      message: expect.stringContaining('has no memory windows') as string,
    });
  });

  it('refuses a window beyond its range', async () => {
    await expect(runLab('memory-windows', { length: 8192 })).rejects.toMatchObject({ code: 'BAD_PARAM' });
    await expect(runLab('memory-windows', { length: 15 })).rejects.toThrow('16');
  });
});
