import { AppError, type Faults } from '@verbslab/protocol';
import { mustRunIn } from './exec-client.js';
import type { Vm } from './state.js';

/** Impairments of tc-netem(8) for packets that a machine sends, with the form of each value. */
const IMPAIRMENTS: Readonly<Record<string, { form: RegExp; example: string }>> = {
  delay: { form: /^\d+(\.\d+)?(us|ms|s)$/, example: '5ms' },
  jitter: { form: /^\d+(\.\d+)?(us|ms|s)$/, example: '1ms' },
  loss: { form: /^\d+(\.\d+)?%$/, example: '1%' },
  duplicate: { form: /^\d+(\.\d+)?%$/, example: '1%' },
  corrupt: { form: /^\d+(\.\d+)?%$/, example: '0.1%' },
  reorder: { form: /^\d+(\.\d+)?%$/, example: '25%' },
  rate: { form: /^\d+(\.\d+)?[kmg]?bit$/, example: '100mbit' },
  limit: { form: /^\d+$/, example: '10000' },
};

export const NETEM_HELP = Object.entries(IMPAIRMENTS)
  .map(([name, { example }]) => `${name}=${example}`)
  .join(' ');

const wrong = (detail: string): AppError =>
  new AppError('USAGE', { detail, hint: `Give one or more of: ${NETEM_HELP}; or off.` });

/**
 * Returns the words of `tc qdisc … netem` for NAME=VALUE settings. Throws USAGE. netem holds 10,000 packets by default.
 */
export function netemWords(settings: readonly string[]): string[] {
  const given = new Map<string, string>();
  for (const setting of settings) {
    const [name = '', value = ''] = setting.split('=', 2);
    const impairment = IMPAIRMENTS[name];
    if (!impairment) throw wrong(`There is no impairment “${name}”`);
    if (!impairment.form.test(value))
      throw wrong(`“${setting}” is not valid; an example is ${name}=${impairment.example}`);
    given.set(name, value);
  }
  if (given.has('jitter') && !given.has('delay')) throw wrong('jitter needs a delay');
  if (given.has('reorder') && !given.has('delay'))
    throw wrong('reorder needs a delay: packets overtake those that are delayed');
  const words = ['limit', given.get('limit') ?? '10000'];
  const delay = given.get('delay');
  if (delay) words.push('delay', delay, ...(given.has('jitter') ? [given.get('jitter')!] : []));
  for (const name of ['loss', 'duplicate', 'corrupt', 'reorder', 'rate']) {
    const value = given.get(name);
    if (value) words.push(name, value);
  }
  return words;
}

const percent = (part: number): string => `${(part * 100).toFixed(4)}%`;

/** Returns the settings for the faults that a person asks for, as far as netem can inject them. Throws NO_FAULTS. */
export function netemSettings({ rates = {}, rules = [], shaping = {} }: Faults): string[] {
  const refuse = (why: string): never => {
    throw new AppError('NO_FAULTS', { why: `tc-netem of a virtual machine ${why}` });
  };
  const { drop = 0, duplicate = 0, reorder = 0, corrupt = 0, delay = 0, mark = 0 } = rates;
  const { delayUs = 0, jitterUs = 0, rateBps = 0, limit } = shaping;
  if (rules.length > 0) refuse('cannot tell RoCE packets apart, so it has no rules');
  if (mark > 0) refuse('marks only what it would lose, and only packets that say that they can be marked');
  if (delay > 0) refuse('delays all packets or none');
  if (reorder > 0 && delayUs === 0) refuse('reorders only packets that it delays: set a delay too');
  return [
    ...(delayUs > 0 ? [`delay=${delayUs}us`] : []),
    ...(jitterUs > 0 ? [`jitter=${jitterUs}us`] : []),
    ...Object.entries({ loss: drop, duplicate, corrupt, reorder }).flatMap(([name, part]) =>
      part > 0 ? [`${name}=${percent(part)}`] : [],
    ),
    ...(rateBps > 0 ? [`rate=${Math.round(rateBps)}bit`] : []),
    ...(limit === undefined ? [] : [`limit=${limit}`]),
  ];
}

/** Sets the impairments of packets that the machine sends on the link; no settings removes them. */
export async function setNetem(vm: Vm, settings: readonly string[]): Promise<void> {
  const root = ['dev', 'eth0', 'root'];
  const words = netemWords(settings);
  if (settings.length > 0) {
    await mustRunIn(vm, ['tc', 'qdisc', 'replace', ...root, 'netem', ...words]);
    return;
  }
  const now = await mustRunIn(vm, ['tc', 'qdisc', 'show', 'dev', 'eth0']);
  if (now.includes('netem')) await mustRunIn(vm, ['tc', 'qdisc', 'del', ...root]);
}
