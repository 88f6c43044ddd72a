import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { figures, outcomes, problems, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

// Requests of other programs must not be in the capture.
process.env.UROCE_ADDR = '127.0.0.62';

const ID = 'cm-timewait';

describe('the end of a connection', () => {
  it('leaves the server connected when every DisconnectRequest is lost', async () => {
    const run = await runLab(ID, { lost: 5 });
    expect(unmet(run)).toEqual([]);
    expect(problems(run)).toBe(0);
    expect(figures(run)).toMatchObject({ copies: 5, 'lost-delay': null });
    expect(outcomes(run)).toEqual({ lost: 'nothing' });
  });

  it('fails where no message is lost', async () => {
    const gentle = meddle('client', 'faults', () => ({}));
    expect(await unmetUnder([gentle], ID)).toEqual(['lost']);
  });
});
