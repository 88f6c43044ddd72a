import type { ProviderClass, RunRecord } from '@verbslab/protocol';
import type { Field } from './fields';

interface Place {
  host: string;
  providerClass: ProviderClass;
}

/** True for an address whose packets never leave the machine. */
const isLoopback = (gid: string): boolean => gid === '::1' || gid.startsWith('::ffff:127.');

/**
 * Place of both ends of a run, and their device; null if it does not limit comparisons. `gids` are those of the ends,
 * if known.
 */
export function placeText(
  places: readonly Place[],
  names: Readonly<Record<ProviderClass, string>>,
  local: string,
  gids: readonly string[] = [],
): string | null {
  const [first] = places;
  if (!first || places.length < 2) return null;
  const together = places.every(({ host }) => host === first.host);
  const alike = places.every(({ providerClass }) => providerClass === first.providerClass);
  if (!alike) return null;
  const device = names[first.providerClass];
  if (together) return `Both ends are on ${first.host === local ? 'one machine' : first.host}. ${device}`;
  if (gids.length < 2 || !gids.every(isLoopback)) return null;
  return `The hosts are on one machine: their devices have loopback addresses, so no packet left it. ${device}`;
}

/** Quotes a word of a command line if a shell would split it. */
const word = (text: string): string => (/^[\w./:=+-]+$/.test(text) ? text : `'${text}'`);

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Command that runs the same lab in the same places with the same parameters, without those at their defaults. */
export function commandOf(
  { lab, parameters }: Pick<RunRecord, 'lab' | 'parameters'>,
  fields: readonly Field[],
  places: readonly { role: string; host: string; device: string }[],
  local: string,
): string {
  const on = places.every(({ host }) => host === local)
    ? []
    : places.map(({ role, host, device }) => `--on ${word(`${role}=${host}/${device}`)}`);
  const set = fields.flatMap(({ name, preset }) =>
    parameters[name] === undefined || parameters[name] === preset
      ? []
      : [`--set ${word(`${name}=${plain(parameters[name])}`)}`],
  );
  return ['npx verbslab run', lab, ...on, ...set].join(' ');
}
