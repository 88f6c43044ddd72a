import { errorInfo } from '@verbslab/protocol';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openRun, useOpened } from '../src/packets/opened';

const answers = (status: number, body: string) =>
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })));

afterEach(() => vi.unstubAllGlobals());

describe('the capture of a run that cannot be opened', () => {
  it('says what the agent says, with its cure', async () => {
    const error = errorInfo('NO_CAPTURE');
    answers(404, JSON.stringify({ error }));
    await openRun('one');
    expect(useOpened.getState().failure).toMatchObject({ what: error.message, cure: error.cure });
    expect(error.message).toBe('This run has no packet capture.');
  });

  it('shows an answer that is not the agent’s', async () => {
    answers(502, '<html>no gateway</html>');
    await openRun('two');
    expect(useOpened.getState().failure).toMatchObject({
      what: 'The capture of this run could not be read.',
      why: 'The agent answered 502: <html>no gateway</html>',
    });
  });
});
