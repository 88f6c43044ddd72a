/** Predictions of the lab, and what a run shows of them. */
import type { Prediction, VerbCall } from '@verbslab/protocol';

export const MINIMAL_FLOW_PREDICTIONS: readonly Prediction[] = [
  {
    kind: 'choice',
    id: 'server',
    text: 'What does the server’s program do for the WRITE?',
    options: [
      { id: 'nothing', text: 'Nothing' },
      { id: 'recv', text: 'Post a RECV' },
      { id: 'polls', text: 'Poll its CQ' },
    ],
  },
  {
    kind: 'choice',
    id: 'completion',
    text: 'Who gets a completion?',
    options: [
      { id: 'client', text: 'The client' },
      { id: 'server', text: 'The server' },
      { id: 'both', text: 'Both' },
    ],
  },
];

/** What these calls of the server's program amount to; null for other calls. */
export function serverDid(calls: readonly VerbCall[]): 'nothing' | 'recv' | 'polls' | null {
  if (calls.length === 0) return 'nothing';
  if (calls.some(({ call }) => call === 'ibv_post_recv')) return 'recv';
  return calls.some(({ call }) => call === 'ibv_poll_cq') ? 'polls' : null;
}

/** Who has completions, by their numbers; null for nobody. */
export function whoCompletes(client: number, server: number): 'client' | 'server' | 'both' | null {
  if (client > 0 && server > 0) return 'both';
  if (client > 0) return 'client';
  return server > 0 ? 'server' : null;
}
