import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';
import { figures, rows, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

const ID = 'three-contracts';
/** Timeout for completions that do not come: far longer than all retries together. */
const timeoutMs = 1000;

describe('the three contracts', () => {
  it('holds for many large messages, and for one retry', async () => {
    const many = await runLab(ID, { messages: 16, size: 1024, seed: 7 });
    expect(unmet(many)).toEqual([]);
    expect(figures(many)).toMatchObject({ 'waited-right': 16, 'reused-right': 1, 'rebuilt-right': 16 });
    const one = await runLab(ID, { messages: 3, seed: 2, retries: 1 });
    expect(unmet(one)).toEqual([]);
    expect(figures(one)).toMatchObject({ 'missing-tries': 2 });
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
});
