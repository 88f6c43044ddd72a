/** System calls of both ends, counted over transfers of two lengths, so that the fixed calls of a transfer drop out. */
import type { CallCount, LabContext } from '@verbslab/protocol';

/** A transfer of `messages` from beginning to end. */
export type Transfer = (messages: number) => Promise<unknown>;

/** System calls of both ends together, for one message more. Calls in vain (EAGAIN) are counted apart. */
export interface CallRate {
  part: CallCount['part'];
  call: string;
  perMessage: number;
  emptyPerMessage: number;
}

/** Calls per message, or why they cannot be counted. */
export type Counted = { rates: CallRate[] } | { refused: string };

type Context = LabContext<unknown>;
const ENDS = ['client', 'server'] as const;

/** Counts the calls of two transfers, one of `messages` and one of twice as many, in both endpoint processes. */
export async function countCalls(ctx: Context, messages: number, transfer: Transfer): Promise<Counted> {
  const found: CallCount[][] = [];
  for (const count of [messages, 2 * messages]) {
    const refused = await start(ctx);
    if (refused !== null) return { refused };
    try {
      await transfer(count);
    } finally {
      found.push(await stop(ctx));
    }
  }
  return { rates: ratesOf(found[0]!, found[1]!, messages) };
}

/** Starts counting at both ends. Resolves to null, or to the end that refuses and its reason; then no end counts. */
async function start(ctx: Context): Promise<string | null> {
  for (const [i, name] of ENDS.entries()) {
    const { refused } = await ctx.endpoint(name).call('calls.start', {});
    if (refused === null) continue;
    for (const earlier of ENDS.slice(0, i)) await ctx.endpoint(earlier).call('calls.stop', {});
    return `System calls of the ${name} cannot be counted: ${refused}`;
  }
  return null;
}

async function stop(ctx: Context): Promise<CallCount[]> {
  const both: CallCount[] = [];
  for (const name of ENDS) both.push(...(await ctx.endpoint(name).call('calls.stop', {})).calls);
  return both;
}

/** Calls that the longer transfer made beyond the shorter one, per message. */
export function ratesOf(
  shorter: readonly CallCount[],
  longer: readonly CallCount[],
  messages: number,
): CallRate[] {
  const sums = new Map<string, CallRate>();
  const add = ({ part, call, count, empty }: CallCount, sign: 1 | -1): void => {
    const key = `${part} ${call}`;
    const sum = sums.get(key) ?? { part, call, perMessage: 0, emptyPerMessage: 0 };
    sum.perMessage += (sign * (count - empty)) / messages;
    sum.emptyPerMessage += (sign * empty) / messages;
    sums.set(key, sum);
  };
  for (const one of shorter) add(one, -1);
  for (const one of longer) add(one, 1);
  // Chance decides how much data gathers between two calls, so a longer transfer may make fewer calls of a kind.
  return [...sums.values()].map((sum) => ({
    ...sum,
    perMessage: Math.max(0, sum.perMessage),
    emptyPerMessage: Math.max(0, sum.emptyPerMessage),
  }));
}

/** Calls that did something, per message, of some parts of the process. */
export const callsOf = (
  rates: readonly CallRate[],
  parts: readonly CallCount['part'][],
  only: (call: string) => boolean = () => true,
): number =>
  rates
    .filter(({ part, call }) => parts.includes(part) && only(call))
    .reduce((sum, { perMessage }) => sum + perMessage, 0);

/** Calls that hand bytes to the kernel or take them from it through a socket. */
export const movesData = (call: string): boolean => /^(send|recv)/.test(call);

/** Context switches of the device’s threads at both ends so far. */
export async function deviceSwitches(ctx: Context): Promise<number> {
  let sum = 0;
  for (const name of ENDS) {
    const { switches } = await ctx.endpoint(name).call('deviceSwitches', {});
    sum += (switches?.voluntary ?? 0) + (switches?.involuntary ?? 0);
  }
  return sum;
}
