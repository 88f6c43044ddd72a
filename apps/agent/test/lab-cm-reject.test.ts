import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { problems, runLab, unmet, unmetUnder } from './helpers/lab-run.js';
import { ownAddress } from './helpers/own-address.js';

// Requests of other programs must not be in the capture.
ownAddress('127.0.0.96');

const ID = 'cm-reject';

describe('rejected connections', () => {
  it('has no unintended errors when the server answers so late that the request is sent again', async () => {
    const run = await runLab(ID, { answerMs: 300 });
    expect(unmet(run)).toEqual([]);
    expect(problems(run)).toBe(0);
  });

  it('fails where the program rejects with other words', async () => {
    const other = Buffer.from('No such way.').toString('base64');
    const reject = meddle('server', 'cm.reject', (args) =>
      args.privateData === undefined ? args : { ...args, privateData: other },
    );
    expect(await unmetUnder([reject], ID, { answerMs: 0 })).toEqual(['program']);
  });

  it('fails where the server accepts no further connection', async () => {
    const astray = meddle('client', 'cm.connectMany', (args) => ({ ...args, port: 1 }));
    expect(await unmetUnder([astray], ID, { answerMs: 0 })).toEqual(['still-listens']);
  });
});
