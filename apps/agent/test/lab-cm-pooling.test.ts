import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { problems, runLab, unmetUnder } from './helpers/lab-run.js';
import { ownAddress } from './helpers/own-address.js';

// Requests of other programs must not be in the capture.
ownAddress('127.0.0.97');

const ID = 'cm-pooling';
const SHORT = { requests: 3, clients: 1, outage: 400 };

describe('pooling and reconnecting', () => {
  it('fails where the clients make no pauses', async () => {
    const restless = meddle('client-1', 'cm.reconnect', (args) => ({
      ...args,
      waitsMs: args.waitsMs.map(() => 0),
    }));
    expect(await unmetUnder([restless], ID, SHORT)).toEqual(['pauses-kept']);
  });

  it('fails where a client gives up', async () => {
    const tired = meddle('client-1', 'cm.reconnect', (args) => ({ ...args, waitsMs: [] }));
    const run = await runLab(ID, SHORT, {}, [tired]);
    expect(run.checks.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(['reconnected']);
    expect(problems(run)).toBe(0);
  });
});
