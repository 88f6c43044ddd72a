import { FAULT_ACTIONS } from './faults-text.js';
import type { FaultRule, Faults, PlannedFaults } from './faults.js';

const RATES = {
  loss: 'drop',
  duplicate: 'duplicate',
  reorder: 'reorder',
  corrupt: 'corrupt',
  mark: 'mark',
} as const;
const DELAYS = { delay: 'delayUs', jitter: 'jitterUs' } as const;
const UNITS: Readonly<Record<string, number>> = { us: 1, µs: 1, ms: 1e3, s: 1e6 };
const BITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };

export const FAULTS_WORDS =
  'loss=1%,delay=5ms,jitter=1ms,duplicate=1%,reorder=1%,corrupt=0.1%,mark=5%,rate=100mbit,limit=1000,seed=7';
export const RULE_WORDS =
  'drop:opcode=0x0a,psn=5,qpn=0x11,nth=2,times=1 (also duplicate, reorder, corrupt, mark and delay:by=5ms)';

/** An invalid word in a description of faults, with the expected form. */
export class FaultsWordError extends Error {
  constructor(
    readonly word: string,
    readonly expected: string,
  ) {
    super(`“${word}” is not valid`);
  }
}

const fail = (word: string, expected: string): never => {
  throw new FaultsWordError(word, expected);
};

function percent(word: string, value: string): number {
  const m = /^(\d+(?:\.\d+)?)%$/.exec(value);
  const part = m ? Number(m[1]) / 100 : NaN;
  return part <= 1 ? part : fail(word, 'a part of the packets from 0% to 100%, such as loss=1%');
}

function micros(word: string, value: string): number {
  const m = /^(\d+(?:\.\d+)?)(us|µs|ms|s)$/.exec(value);
  return m ? Math.round(Number(m[1]) * UNITS[m[2]!]!) : fail(word, 'a time such as delay=5ms');
}

function bits(word: string, value: string): number {
  const m = /^(\d+(?:\.\d+)?)([kmg]?)bit$/.exec(value.toLowerCase());
  return m ? Number(m[1]) * BITS[m[2]!]! : fail(word, 'a rate such as rate=100mbit');
}

function whole(word: string, value: string): number {
  return /^(0x[0-9a-f]+|\d+)$/i.test(value) ? Number(value) : fail(word, 'a whole number, decimal or 0x…');
}

const pairs = (words: string): [word: string, name: string, value: string][] =>
  words
    .split(',')
    .filter((word) => word.trim() !== '')
    .map((word) => {
      const [name = '', value = ''] = word.trim().split('=', 2);
      return [word.trim(), name, value];
    });

/** Parses a rule: `drop:psn=5,nth=2`. @throws FaultsWordError */
export function parseRule(words: string): FaultRule {
  const [action = '', which = ''] = words.trim().split(':', 2);
  const known = FAULT_ACTIONS.find((one) => one === action) ?? fail(words, RULE_WORDS);
  const rule: FaultRule = { action: known };
  for (const [word, name, value] of pairs(which)) {
    if (name === 'nth') rule.iter = whole(word, value);
    else if (name === 'qpn' || name === 'psn' || name === 'opcode' || name === 'times')
      rule[name] = whole(word, value);
    else if (name === 'by' && known === 'delay') rule.delayUs = micros(word, value);
    else fail(word, RULE_WORDS);
  }
  if (known === 'delay' && rule.delayUs === undefined) fail(words, 'delay:by=5ms');
  return rule;
}

/** Parses faults in the words of tc-netem(8): `loss=1%,delay=5ms`; `off` for none. @throws FaultsWordError */
export function parseFaults(words: string, rules: readonly string[] = []): Faults {
  const faults: Faults = {};
  if (words.trim() !== 'off')
    for (const [word, name, value] of pairs(words)) {
      if (name in RATES)
        faults.rates = { ...faults.rates, [RATES[name as keyof typeof RATES]]: percent(word, value) };
      else if (name in DELAYS)
        faults.shaping = { ...faults.shaping, [DELAYS[name as keyof typeof DELAYS]]: micros(word, value) };
      else if (name === 'rate') faults.shaping = { ...faults.shaping, rateBps: bits(word, value) };
      else if (name === 'limit') faults.shaping = { ...faults.shaping, limit: whole(word, value) };
      else if (name === 'seed')
        faults.rates = { ...faults.rates, seed: `0x${BigInt(whole(word, value)).toString(16)}` };
      else fail(word, FAULTS_WORDS);
    }
  const { delayUs = 0, jitterUs = 0 } = faults.shaping ?? {};
  if (jitterUs > delayUs) fail(`jitter=${jitterUs}us`, 'a jitter that is at most the delay');
  if (rules.length > 0) faults.rules = rules.map(parseRule);
  return faults;
}

/** Parses faults with a time and a place: `at=2s,endpoint=client,loss=5%`. @throws FaultsWordError */
export function parsePlanned(words: string): PlannedFaults {
  let at = 0;
  let endpoint: string | undefined;
  const rest = pairs(words).flatMap(([word, name, value]) => {
    if (name === 'at') at = micros(word, value) / 1e6;
    else if (name === 'endpoint') endpoint = value;
    else return [word];
    return [];
  });
  return { at, ...(endpoint === undefined ? {} : { endpoint }), faults: parseFaults(rest.join(',')) };
}
