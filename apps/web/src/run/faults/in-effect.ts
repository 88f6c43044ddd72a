import { faultsText, ruleText, type Faults } from '@verbslab/protocol';
import type { RunModel } from '../../model/run-model';

type Told = Pick<RunModel, 'faults'>;
type Devices = Told & { endpoints: Pick<RunModel['endpoints'], 'keys'> };

const NONE: Faults = {};

/** Text that is equal for settings with the same effect. */
export const sameText = (faults: Faults): string =>
  [faultsText(faults), faults.rates?.seed ?? '', ...(faults.rules ?? []).map(ruleText)].join('\n');

/** Current faults of each endpoint of a run. */
export function inEffect({ faults, endpoints }: Devices): Map<string, Faults> {
  const now = new Map<string, Faults>([...endpoints.keys()].map((name) => [name, NONE]));
  for (const e of faults) now.set(e.endpoint ?? '', e);
  return now;
}

/** Current faults of all endpoints, or of one of them. Null if they differ. */
export function common(now: ReadonlyMap<string, Faults>, endpoint: string | null): Faults | null {
  if (endpoint !== null) return now.get(endpoint) ?? NONE;
  const [first = NONE, ...others] = now.values();
  return others.every((one) => sameText(one) === sameText(first)) ? first : null;
}

/** Current faults of each endpoint in a line; endpoints with the same faults are combined. */
export function nowText(model: Devices): string {
  const now = inEffect(model);
  const all = common(now, null);
  if (all) return faultsText(all);
  const texts = [...now].map(([endpoint, faults]) => [endpoint, faultsText(faults)] as const);
  const without = texts.filter(([, text]) => text === '');
  return [
    ...texts.flatMap(([endpoint, text]) => (text === '' ? [] : `${endpoint}: ${text}`)),
    ...(without.length > 1 ? ['others: none'] : without.map(([endpoint]) => `${endpoint}: none`)),
  ].join('; ');
}

/**
 * Number of changes, the maximum over the endpoints: a change for all endpoints counts once. The packets show their
 * effects.
 */
export function changedText({ faults }: Told): string {
  const changes = new Map<string, number>();
  for (const { endpoint = '' } of faults) changes.set(endpoint, (changes.get(endpoint) ?? 0) + 1);
  const most = Math.max(...changes.values());
  return `settings changed ${most === 1 ? 'once' : `${most} times`}`;
}
