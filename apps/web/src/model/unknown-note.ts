import type { RunEventOf } from '@verbslab/protocol';

/** What a page shows in place of an event of a kind that it does not know. */
export const unknownNote = ({ seq, t, endpoint, of }: RunEventOf<'unknown'>): RunEventOf<'note' | 'log'> => ({
  ...{ seq, t, ...(endpoint === undefined ? {} : { endpoint }) },
  kind: 'log',
  level: 'warn',
  text: `Unknown event “${of}”: another version of Verbs Lab reported it.`,
});
