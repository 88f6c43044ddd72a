/** Commands of this version with an agent of an older one: they refuse, with the reason, before the program starts. */
import { PROTOCOL_VERSION } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { verbslab } from './helpers/cli.js';
import { exec } from './helpers/exec.js';
import { oldAgent } from './helpers/old-agent.js';

async function withRuns(n: number): Promise<{ home: string; numbers: string[] }> {
  const home = newHome();
  const { agent } = await testAgent({ home });
  for (let i = 0; i < n; i++) expect((await exec(home, ['true']).ended).code).toBe(0);
  const recorder = await Recorder.connect(agent);
  const { runs } = await recorder.client.request('run.list', {});
  return { home, numbers: runs.map(({ number }) => String(number)) };
}

/** The answer of an agent that does not know a message. */
const unknown = (type: string) => (message: { type: string }) =>
  message.type === type
    ? { type: 'error', code: 'UNKNOWN_MESSAGE', message: `There is no message of type “${type}”.`, cure: '' }
    : undefined;

describe('an agent of an older version', () => {
  it('cannot join a command to a run, and the program is not started', async () => {
    const { home, numbers } = await withRuns(1);
    await oldAgent(home, { answer: unknown('program.join') });
    const { code, out, err } = await exec(home, ['echo', 'started'], ['--with', numbers[0]!]).ended;
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('too old for this');
    expect(err).toContain('verbslab up');
  });

  it('cannot join runs that have ended', async () => {
    const { home, numbers } = await withRuns(2);
    await oldAgent(home, { answer: unknown('run.join') });
    const { code, err } = await verbslab(home, ['runs', 'join', ...numbers]);
    expect(code).toBe(2);
    expect(err).toContain('too old for this');
  });

  it('is refused where it speaks an older protocol, and a program alone runs without it', async () => {
    const { home, numbers } = await withRuns(1);
    await oldAgent(home, {
      said: (message) =>
        message.type === 'welcome' ? { ...message, protocol: PROTOCOL_VERSION - 1 } : undefined,
    });
    const joining = await exec(home, ['echo', 'started'], ['--with', numbers[0]!]).ended;
    expect(joining).toMatchObject({ out: '' });
    expect(joining.code).not.toBe(0);
    expect(joining.err).toContain(
      `speaks protocol ${PROTOCOL_VERSION - 1}, and this side speaks protocol ${PROTOCOL_VERSION}`,
    );
    const alone = await exec(home, ['echo', 'started']).ended;
    expect(alone).toMatchObject({ code: 0, out: 'started\n' });
    expect(alone.err).toContain('not shown in the dashboard');
  });
});
