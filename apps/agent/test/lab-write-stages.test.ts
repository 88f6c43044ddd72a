import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { figures, problems, rows, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

// Requests of other programs must not be in the capture.
process.env.UROCE_ADDR = '127.0.0.63';

const ID = 'write-stages';

describe('one WRITE, stage by stage', () => {
  it('sleeps until an event, and sends inline', async () => {
    const run = await runLab(ID, { writes: 20, size: 64, inline: 64, wait: 'event' });
    expect(unmet(run)).toEqual([]);
    expect(problems(run)).toBe(0);
    expect(rows(run, 'stages')).toHaveLength(10);
    const { whole, round } = figures(run);
    expect(round!).toBeLessThan(whole!);
    const verbs = run.recording.of('verb');
    expect(verbs.filter(({ call }) => call === 'ibv_req_notify_cq')).toHaveLength(40);
    const posts = verbs.filter(({ call }) => call === 'ibv_post_send');
    expect(posts).toHaveLength(40);
    for (const { args } of posts) expect(args.wr).toMatchObject({ send_flags: ['SIGNALED', 'INLINE'] });
  });

  it('says of no stage that it holds where no WRITE has all its times', async () => {
    const none = meddle('client', 'stamps.flush', () => ({}));
    const run = await runLab(ID, { writes: 20 }, {}, [none]);
    for (const { id, detail } of unmet(run))
      expect([id, detail]).toEqual([id, expect.stringMatching(/^None of 20 WRITEs/)]);
    expect(unmet(run).map(({ id }) => id)).toEqual(['order', 'adds-up', 'cqe-after-ack']);
  });

  it('fails where bytes are missing, and where stamps are lost', async () => {
    const short = meddle('client', 'traceWrites', (args) => ({ ...args, size: args.size - 1 }));
    const few = meddle('client', 'stamps.start', () => ({ maxRecords: 5 }));
    expect(await unmetUnder([short, few], ID, { writes: 20 })).toEqual(['data', 'adds-up']);
  });
});
