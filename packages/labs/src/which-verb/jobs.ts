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

/** `ask`: what the learner predicts. */
export const JOBS = [
  {
    id: 'request',
    title: 'Small request and reply',
    ask: 'A small request to the server’s program, and its reply. Which verb takes the shortest time?',
  },
  {
    id: 'told',
    title: 'Large transfer, the target must know',
    ask: 'A large transfer that the server’s program must learn of. Which verb takes the shortest time?',
  },
  {
    id: 'quiet',
    title: 'Large transfer, the target must not know',
    ask: 'A large transfer that the server’s program must not notice. Which verb takes the shortest time?',
  },
  {
    id: 'readers',
    title: 'Many readers of one value',
    ask: 'Several clients need the same 8 bytes of the server. Which verb takes the shortest time?',
  },
  {
    id: 'counter',
    title: 'Counter shared by many',
    ask: 'Several clients add to one counter of the server. Which verb takes the shortest time, with no update lost?',
  },
  {
    id: 'stream',
    title: 'Stream of small messages',
    ask: 'A stream of small messages, each of which the server’s program must handle. Which verb takes the shortest time per message?',
  },
  {
    id: 'unknown',
    title: 'Result into a buffer whose address the sender does not know',
    ask: 'The server has a result for a client, and does not know the address of the client’s buffer. Which verb takes the shortest time?',
  },
] as const;
export type JobId = (typeof JOBS)[number]['id'];

export const jobTitle = (job: JobId): string => JOBS.find(({ id }) => id === job)!.title;
