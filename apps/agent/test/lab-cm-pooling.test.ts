import { findLab } from '@verbslab/labs';
import type { PacketSummary } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { failedChecks, finishLab, tampered, tooBusyChecks } from './helpers/lab-results.js';
import { problems, runLab, unmetUnder } from './helpers/lab-run.js';
import { ownAddress } from './helpers/own-address.js';

// Requests of other programs must not be in the capture.
ownAddress('127.0.0.97');

const ID = 'cm-pooling';
const receiptOf = (reply: PacketSummary): PacketSummary => ({ ...reply, cm: 'MsgRcptAck' });

const SHORT = { requests: 3, clients: 1, outage: 400 };

describe('pooling and reconnecting', () => {
  it('counts no receipt of a server that is late', async () => {
    // A late server answers a repeated request like this: with the IDs of its reply.
    const late = tampered(findLab(ID), {
      result: (op, result) =>
        op === 'tap.flush' && 'list' in result
          ? {
              ...result,
              list: result.list.flatMap((one) => (one.cm === 'ConnectReply' ? [one, receiptOf(one)] : [one])),
            }
          : result,
    });
    const run = await finishLab(late, { params: SHORT });
    expect(failedChecks(run)).toEqual([]);
    expect(run.results.figures['cm-messages-own']?.value).toBe(5 * SHORT.requests);
  });

  it.each([
    { what: 'fails for a message too many', late: false, failed: ['cm-count'], busy: [] },
    {
      what: 'cannot tell where it follows one that was sent again',
      late: true,
      failed: [],
      busy: ['cm-count'],
    },
  ])('$what', async ({ late, failed, busy }) => {
    const more = tampered(findLab(ID), {
      result: (op, result) =>
        op === 'tap.flush' && 'list' in result
          ? {
              ...result,
              list: result.list.flatMap((one) =>
                one.cm === 'ConnectReply'
                  ? [one, ...(late ? [one] : []), { ...one, cm: 'ConnectReject' }]
                  : [one],
              ),
            }
          : result,
    });
    const run = await finishLab(more, { params: SHORT });
    expect([failedChecks(run), tooBusyChecks(run)]).toEqual([failed, busy]);
  });

  it.each([20, 1])('fails where the clients make no pauses of %i ms', async (pause) => {
    const params = { ...SHORT, outage: 100, pause };
    expect(await unmetUnder([], ID, params)).toEqual([]);
    const restless = meddle('client-1', 'cm.reconnect', (args) => ({
      ...args,
      waitsMs: args.waitsMs.map(() => 0),
    }));
    expect(await unmetUnder([restless], ID, params)).toEqual(['pauses-kept']);
  });

  it('fails where a client gives up', async () => {
    const tired = meddle('client-1', 'cm.reconnect', (args) => ({ ...args, waitsMs: [] }));
    const run = await runLab(ID, SHORT, {}, [tired]);
    expect(run.checks.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(['reconnected']);
    expect(problems(run)).toBe(0);
  });
});
