/** The jobs and the verbs that are tried for each of them. */

export const VERBS = [
  { id: 'send', title: 'SEND' },
  { id: 'write', title: 'WRITE' },
  { id: 'imm', title: 'WRITE_WITH_IMM' },
  { id: 'read', title: 'READ' },
  { id: 'atomic', title: 'FETCH_ADD' },
] as const;
export type VerbId = (typeof VERBS)[number]['id'];

export const titleOf = (verb: VerbId): string => VERBS.find(({ id }) => id === verb)!.title;

export type JobId = 'request' | 'told' | 'quiet' | 'readers' | 'counter' | 'stream' | 'unknown';

/** `ask`: what the learner predicts, for the jobs in which verbs differ most. */
export const JOBS: readonly { id: JobId; title: string; ask?: string }[] = [
  {
    id: 'request',
    title: 'Small request and reply',
  },
  {
    id: 'told',
    title: 'Large transfer, the target must know',
    ask: 'A large transfer that the server must learn of: which verb is fastest?',
  },
  {
    id: 'quiet',
    title: 'Large transfer, the target must not know',
  },
  {
    id: 'readers',
    title: 'Many readers of one value',
    ask: 'Several clients need the same 8 bytes: which verb is fastest?',
  },
  {
    id: 'counter',
    title: 'Counter shared by many',
  },
  {
    id: 'stream',
    title: 'Stream of small messages',
  },
  {
    id: 'unknown',
    title: 'Result into a buffer whose address the sender does not know',
    ask: 'A result for a client whose buffer’s address is unknown: which verb is fastest?',
  },
];

export const jobTitle = (job: JobId): string => JOBS.find(({ id }) => id === job)!.title;
