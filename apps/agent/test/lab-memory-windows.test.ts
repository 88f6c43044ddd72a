import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

describe('access rights and memory windows', () => {
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
});
