/** A question before each step, with what a run records if an answer is right. */
import type { StepQuestion } from '@verbslab/protocol';

export const STEP_QUESTIONS = {
  symptoms: {
    text: 'How will the client’s program learn that something is wrong?',
    options: [
      {
        id: 'completion',
        text: 'From a completion in error',
        when: [{ count: 'completions', at: 'client', failed: true, min: 1 }],
      },
      {
        id: 'call',
        text: 'From a call that fails',
        when: [
          { count: 'calls', at: 'client', failed: true, min: 1 },
          { count: 'completions', at: 'client', failed: true, max: 0 },
        ],
      },
      {
        id: 'neither',
        text: 'From neither: it waits, or all looks well',
        when: [
          { count: 'calls', at: 'client', min: 1 },
          { count: 'calls', at: 'client', failed: true, max: 0 },
          { count: 'completions', at: 'client', failed: true, max: 0 },
        ],
      },
    ],
    why: 'A post returns before the request is carried out, so most mistakes show in a completion.',
  },
  reveal: {
    text: 'What did the server’s device say to the request, as the packets show?',
    options: [
      {
        id: 'nak',
        text: 'A NAK: it refused the request',
        when: [{ count: 'packets', of: 'NAK', soFar: true, min: 1 }],
      },
      {
        id: 'rnr',
        text: 'An RNR NAK: no RECV was ready',
        when: [
          { count: 'packets', of: 'RNR NAK', soFar: true, min: 1 },
          { count: 'packets', of: 'NAK', soFar: true, max: 0 },
        ],
      },
      {
        id: 'unasked',
        text: 'Nothing: no packet left the client',
        when: [
          { count: 'calls', at: 'client', soFar: true, min: 1 },
          { count: 'packets', at: 'client', soFar: true, max: 0 },
        ],
      },
      {
        id: 'no-objection',
        text: 'No objection: it answered, or was silent',
        when: [
          { count: 'packets', at: 'client', soFar: true, min: 1 },
          { count: 'packets', of: 'NAK', soFar: true, max: 0 },
          { count: 'packets', of: 'RNR NAK', soFar: true, max: 0 },
        ],
      },
    ],
    why: 'The device that finds the mistake tells you at which end to look.',
  },
  fix: {
    text: 'How will the requests of the fixed program end?',
    options: [
      {
        id: 'success',
        text: 'All with success',
        when: [
          { count: 'completions', at: 'client', min: 1 },
          { count: 'completions', at: 'client', failed: true, max: 0 },
        ],
      },
      {
        id: 'error',
        text: 'Again with an error',
        when: [{ count: 'completions', at: 'client', failed: true, min: 1 }],
      },
      {
        id: 'silent',
        text: 'Without a completion',
        when: [
          { count: 'calls', at: 'client', min: 1 },
          { count: 'completions', at: 'client', max: 0 },
        ],
      },
    ],
    why: 'One value differs from the program with the mistake.',
  },
} satisfies Record<string, StepQuestion>;
