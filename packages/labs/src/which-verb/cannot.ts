/** The combinations that do not work: why, and which experiment shows it. */
import { jobTitle, titleOf, type JobId, type VerbId } from './jobs.js';
import type { Seen } from './observe.js';
import { sentenceOf } from './observe.js';
import type { Refusals } from './refused.js';
import type { Context } from './stage.js';

export interface Evidence {
  seen: Partial<Record<VerbId, Seen>>;
  refusals: Refusals;
  lost: string;
  stale: string;
}

interface Cannot {
  job: JobId;
  verb: VerbId;
  /** Reason in as few words as a cell takes. */
  short: string;
  why: string;
  /** Null where the server has no atomics. */
  shown: (ctx: Context, evidence: Evidence) => string | null;
}

const seen =
  (verb: VerbId) =>
  (ctx: Context, evidence: Evidence): string | null => {
    const one = evidence.seen[verb];
    return one ? sentenceOf(ctx, one) : null;
  };
const long = (ctx: Context, { refusals }: Evidence): string | null =>
  refusals.long && `A FETCH_ADD of ${ctx.params.message} B: ${refusals.long.text}.`;
const guessed =
  (verb: 'write' | 'imm' | 'atomic') =>
  (_: Context, { refusals }: Evidence): string | null => {
    const one = refusals.guessed[verb];
    return one ? `With a guessed rkey: ${one.text}.` : null;
  };

const EIGHT = { verb: 'atomic', short: '8 B only', why: 'An atomic moves 8 bytes.', shown: long } as const;
const TELLS = 'It consumes a RECV at the target, which gets a completion.';
const NO_KEY = 'The initiator must name address and rkey.';

export const CANNOT: readonly Cannot[] = [
  {
    job: 'request',
    verb: 'read',
    short: 'carries no request',
    why: 'A READ carries nothing to the server’s program.',
    shown: seen('read'),
  },
  { job: 'request', ...EIGHT },
  {
    job: 'told',
    verb: 'write',
    short: 'tells nothing',
    why: 'A WRITE makes no completion at its target. For one, a second message has to follow.',
    shown: seen('write'),
  },
  { job: 'told', ...EIGHT },
  { job: 'quiet', verb: 'send', short: 'tells the target', why: TELLS, shown: seen('send') },
  { job: 'quiet', verb: 'imm', short: 'tells the target', why: TELLS, shown: seen('imm') },
  {
    job: 'quiet',
    verb: 'read',
    short: 'the target must post it',
    why: 'A READ brings data to its initiator. The target would have to post it, and so it would know.',
    shown: seen('read'),
  },
  { job: 'quiet', ...EIGHT },
  {
    job: 'counter',
    verb: 'write',
    short: 'loses updates',
    why: 'Another client can WRITE between the READ and the WRITE of this one.',
    shown: (_, { lost }) => lost,
  },
  {
    job: 'counter',
    verb: 'read',
    short: 'changes nothing',
    why: 'A READ does not change the target’s memory.',
    shown: seen('read'),
  },
  {
    job: 'stream',
    verb: 'read',
    short: 'does not know when',
    why: 'The receiver does not learn that there is a new message. It can only READ again and again.',
    shown: (_, { stale }) => stale,
  },
  { job: 'stream', ...EIGHT },
  { job: 'unknown', verb: 'write', short: 'needs the address', why: NO_KEY, shown: guessed('write') },
  { job: 'unknown', verb: 'imm', short: 'needs the address', why: NO_KEY, shown: guessed('imm') },
  { job: 'unknown', verb: 'atomic', short: 'needs the address', why: NO_KEY, shown: guessed('atomic') },
];

export function tellCannot(ctx: Context, evidence: Evidence): void {
  for (const { job, verb, why, shown } of CANNOT) {
    const text = shown(ctx, evidence);
    ctx.row('cannot', { job: jobTitle(job), verb: titleOf(verb), why, shown: text });
  }
}
