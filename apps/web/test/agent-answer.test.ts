import { errorInfo } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import { agentAnswer } from '../src/connection/agent-answer';

it('finds what was asked for, or the refusal of the agent', () => {
  expect(agentAnswer<{ run: { number: number } }>('{"run":{"number":3}}')?.run?.number).toBe(3);
  const error = errorInfo('NO_BUNDLE', { detail: 'a PNG' });
  expect(agentAnswer(JSON.stringify({ error }))?.error).toEqual(error);
});

it.each(['', 'null', '7', '<html>502 Bad Gateway</html>', '{"error":"Bad Gateway"}', '{"error":null}'])(
  'takes %s for the answer of something else',
  (body) => expect(agentAnswer(body)).toBeNull(),
);
