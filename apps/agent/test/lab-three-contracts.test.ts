import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';
import { figures, LINKS, outcomes, rows, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

const ID = 'three-contracts';
/** For completions that do not come: far longer than all retries together. */
const timeoutMs = 1000;

describe('the three contracts', () => {
  it.each(LINKS)('on the link %s: keeps and breaks each of them', async (link) => {
    const lab = await runLab(ID, {}, { UROCE_LINK: link });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks).toHaveLength(10);
    expect(lab.checks.some(({ applies }) => applies === false)).toBe(false);
    expect(lab.steps).toEqual(['memory', 'messages', 'delivery']);
    const good = '5 SUCCESS';
    const flushed = '4 WR_FLUSH_ERR';
    expect(
      rows(lab, 'trials').map(({ client, server, right, told }) => [client, server, right, told]),
    ).toEqual([
      [good, good, 5, 'nobody'],
      [good, good, 1, 'nobody'],
      ['LOC_PROT_ERR', 'none', 0, 'client'],
      [good, good, 5, 'nobody'],
      [`RNR_RETRY_EXC_ERR, ${flushed}`, 'none', 0, 'client'],
      [`REM_INV_REQ_ERR, ${flushed}`, `LOC_LEN_ERR, ${flushed}`, 0, 'both'],
      [good, good, 5, 'nobody'],
      ['SUCCESS', 'SUCCESS', 1, 'nobody'],
      ['RETRY_EXC_ERR', 'none', 0, 'client'],
      [`RETRY_EXC_ERR, ${flushed}`, 'none', 0, 'client'],
      [good, good, 5, 'nobody'],
    ]);
    const { 'lost-again': again, ...found } = figures(lab);
    expect(again).toBeGreaterThan(0);
    expect(found).toEqual({
      'waited-right': 5,
      'reused-right': 1,
      'early-status': 4,
      'missing-status': 13,
      'missing-tries': 4,
      'short-client': 9,
      'short-server': 1,
      'lost-right': 5,
      'beyond-status': 12,
      'unread-right': 0,
      'rebuilt-right': 5,
    });
    const lengths = rows(lab, 'lengths');
    expect(lengths.map(({ sent }) => sent)).toEqual([167, 16, 143, 252, 249]);
    expect(lengths.map(({ received }) => received)).toEqual(lengths.map(({ sent }) => sent));
    expect(outcomes(lab)).toEqual({ short: 'both', lost: 'nothing' });
  });

  it('holds for many large messages, and for one retry', async () => {
    const many = await runLab(ID, { messages: 16, size: 1024, seed: 7 });
    expect(unmet(many)).toEqual([]);
    expect(figures(many)).toMatchObject({ 'waited-right': 16, 'reused-right': 1, 'rebuilt-right': 16 });
    const one = await runLab(ID, { messages: 3, seed: 2, retries: 1 });
    expect(unmet(one)).toEqual([]);
    expect(figures(one)).toMatchObject({ 'missing-tries': 2, 'beyond-status': 12 });
    expect(rows(one, 'lengths').map(({ sent }) => sent)).toEqual([192, 94, 84]);
  });
});

describe('the checks of the three contracts', () => {
  it('notice a device that copies at the post', async () => {
    const failed = await unmetUnder(
      [
        meddle('client', 'waitCq', (args) => ({ ...args, timeoutMs })),
        meddle('client', 'createQp', (args) => ({ ...args, maxInlineData: 64 })),
        meddle('client', 'postSend', ({ qp, wr }) => ({ qp, wr: { ...wr, inline: true } })),
      ],
      ID,
      { size: 64 },
    );
    expect(failed).toEqual(['memory-reused', 'memory-deregistered']);
  });

  it('notice RECVs that are longer than they should be', async () => {
    const failed = await unmetUnder(
      [
        meddle('server', 'postRecv', ({ qp, wr }) => ({
          qp,
          wr: { ...wr, local: (wr.local ?? []).map((sge) => ({ ...sge, length: 1024 })) },
        })),
      ],
      ID,
    );
    expect(failed).toEqual(['messages-short']);
  });

  it('notice a device that tries less often than it was told', async () => {
    const failed = await unmetUnder(
      [
        meddle('client', 'connectQp', ({ options, ...rest }) => ({
          ...rest,
          options: { ...options, retryCount: 2, ...(options?.rnrRetry === 7 ? {} : { rnrRetry: 2 }) },
        })),
      ],
      ID,
    );
    expect(failed).toEqual(['messages-missing', 'delivery-budget']);
  });

  it('notice that no packet was lost', async () => {
    const failed = await unmetUnder([meddle('client', 'faults', () => ({}))], ID);
    expect(failed).toEqual(['delivery-kept', 'delivery-budget']);
  });

  it('notice statuses that hide every error', async () => {
    const lab = tampered(findLab(ID), {
      args: (op, args) => (op === 'waitCq' ? { ...args, timeoutMs } : args),
      result: (op, result) =>
        op === 'waitCq' && 'completions' in result
          ? { ...result, completions: result.completions.map((wc) => ({ ...wc, status: 0 })) }
          : result,
    });
    expect(failedChecks(await finishLab(lab))).toEqual([
      'memory-deregistered',
      'messages-missing',
      'messages-short',
      'delivery-budget',
      'delivery-unread',
      'delivery-rebuilt',
    ]);
  });

  it('notice other bytes at the server', async () => {
    const lab = tampered(findLab(ID), {
      result: (op, result, endpoint) =>
        op === 'hashMemory' && endpoint === 'server' ? { ...result, sha256: 'other' } : result,
    });
    expect(failedChecks(await finishLab(lab))).toEqual([
      'memory-kept',
      'memory-reused',
      'messages-kept',
      'delivery-kept',
      'delivery-rebuilt',
    ]);
  });
});

describe('the three contracts on a device with less', () => {
  it('say which of them it cannot show', async () => {
    const without = ['tap', 'faults', 'counters'];
    const lab = findLab(ID);
    const run = await finishLab({
      ...lab,
      run: (ctx) =>
        lab.run({
          ...ctx,
          endpoint: (name) => {
            const endpoint = ctx.endpoint(name);
            return {
              name,
              device: endpoint.device,
              has: (capability) => !without.includes(capability) && endpoint.has(capability),
              call: (op, args) => endpoint.call(op, args),
            };
          },
        }),
    });
    expect(failedChecks(run)).toEqual([]);
    expect(run.checks.filter(({ applies }) => applies === false).map(({ id }) => id)).toEqual([
      'memory-kept',
      'memory-reused',
      'memory-deregistered',
      'delivery-kept',
      'delivery-budget',
    ]);
    expect(run.results.figures).toMatchObject({
      'missing-tries': { value: null },
      'reused-right': { value: null },
      'rebuilt-right': { value: 5 },
    });
  });

  it.each([
    ['messages', 2, 'minimum of 3'],
    ['messages', 17, 'maximum of 16'],
    ['size', 15, 'minimum of 16'],
    ['size', 1025, 'maximum of 1 KiB'],
    ['retries', 0, 'minimum of 1'],
    ['retries', 7, 'maximum of 6'],
  ])('refuses %s %i and names the range', (name, value, range) => {
    expect(() => findLab(ID).parse({ [name]: value })).toThrow(range);
  });
});
