import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { runLab, unmet, unmetUnder } from './helpers/lab-run.js';

// Requests of other programs must not be in the capture.
process.env.UROCE_ADDR = '127.0.0.61';

const ID = 'connection-storm';
const SHORT = { most: 2, connections: 8, backlog: 2, extra: 2, heldMs: 0 };

describe('a storm of connections', () => {
  it('fails where the backlog is larger than it says', async () => {
    const larger = meddle('server', 'cm.listen', (args) => (args.held ? { ...args, backlog: 3 } : args));
    expect(await unmetUnder([larger], ID, SHORT)).toEqual(['beyond', 'backlog-kept']);
  });

  it('fails where a connection is not made', async () => {
    let calls = 0;
    const astray = meddle('client', 'cm.connectMany', (args) =>
      ++calls === 2 ? { ...args, count: 1, port: 1 } : args,
    );
    const run = await runLab(ID, SHORT, {}, [astray]);
    expect(unmet(run).map(({ id }) => id)).toEqual(['all-made', 'five-messages']);
  });
});
