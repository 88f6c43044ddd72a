import { findLab } from '@verbslab/labs';
import type { EndpointResult } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { finishLab, tampered, tooBusyChecks } from './helpers/lab-results.js';
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

  it('cannot tell that a new connection need not wait where the timewait was over before', async () => {
    const early = tampered(findLab(ID), {
      result: (op, result) => {
        if (op !== 'cm.events') return result;
        const { events } = result as EndpointResult<'cm.events'>;
        return {
          ...result,
          events: events.map((one) => (one.type === 'TIMEWAIT_EXIT' ? { ...one, at: 1 } : one)),
        };
      },
    });
    const run = await finishLab(early, { params: { lost: 0 } });
    expect(tooBusyChecks(run)).toEqual(['new-connection']);
    expect(run.answer).toMatch(/A WRITE over a new id and QP got SUCCESS after that/);
  });

  it('fails where no message is lost', async () => {
    const gentle = meddle('client', 'faults', () => ({}));
    expect(await unmetUnder([gentle], ID)).toEqual(['lost']);
  });
});
