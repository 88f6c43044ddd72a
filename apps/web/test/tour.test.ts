import { describe, expect, it } from 'vitest';
import { sample } from '../src/model/picture/sample';
import { stagesOf } from '../src/model/picture/stages-of';
import { stateAt } from '../src/model/picture/state-at';
import { STORY } from '../src/tour/story';
import { verdictText, waitText, withoutWorkers, workIn, type Work, type Worker } from '../src/tour/who-works';

const recording = await sample('write');
const stages = stagesOf(recording);

describe('the guided WRITE', () => {
  const work = stages.map((stage) => workIn(recording, stages, stage));

  it('has six stages, each with a sentence before it and one after it', () => {
    expect(stages.map(({ name }) => name)).toEqual(Object.keys(STORY));
  });

  it('is taken in a minute', () => {
    // 240 words per minute is an average reader; two seconds go to each answer.
    const words = work
      .map((one, i) => {
        const { before, after } = STORY[stages[i]!.name]!;
        return `${before} Who works now? ${verdictText('client.program', one)} ${after}`.split(/\s+/).length;
      })
      .reduce((sum, n) => sum + n, 0);
    expect((words / 240) * 60 + 2 * stages.length).toBeLessThan(60);
  });

  it('finds in each stage who works, as recorded, and never the program of the server', () => {
    expect(work.map(({ works }) => works)).toEqual<Worker[][]>([
      ['client.program'],
      ['client.device'],
      ['client.device'],
      ['server.device'],
      ['client.device', 'server.device'],
      ['client.program'],
    ]);
    expect(work.flatMap(({ waits }) => waits)).not.toContain('server.program');
    expect(recording.events.some((e) => e.kind === 'call' && e.side === 'server')).toBe(false);
    const ack = stages.find(({ name }) => name === 'ACK')!;
    const cqe = recording.events.find(({ kind }) => kind === 'cqe')!;
    expect(cqe.t >= ack.from && cqe.t <= ack.to).toBe(true);
  });

  it('does not show who works while it asks', () => {
    for (const stage of stages) {
      const { hosts, flows } = withoutWorkers(stateAt(recording, stages, stage.from));
      expect([hosts.client.lit, hosts.server.lit, flows]).toEqual([[], [], []]);
    }
  });

  it('answers in a sentence', () => {
    const of = (...works: Worker[]): Work => ({ works, waits: ['client.program'] });
    expect(verdictText('client.device', of('client.device'))).toBe('Right: the client’s device works.');
    expect(verdictText('server.program', of('client.device', 'server.device'))).toBe(
      'No: the client’s device and the server’s device work.',
    );
    expect(verdictText(null, of('client.program'))).toBe('Here the client’s program works.');
    expect(waitText(of())).toBe('The call of the client’s program has not returned yet.');
    expect(waitText({ works: [], waits: [] })).toBeNull();
  });
});
