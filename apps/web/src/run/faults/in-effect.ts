import { faultsText, ruleText, type Faults } from '@verbslab/protocol';
import type { RunModel } from '../../model/run-model';

type Told = Pick<RunModel, 'faults'>;
type Devices = Told & { endpoints: Pick<RunModel['endpoints'], 'keys'> };

const NONE: Faults = {};

/** The same for settings that do the same. */
export const sameText = (faults: Faults): string =>
  [faultsText(faults), faults.rates?.seed ?? '', ...(faults.rules ?? []).map(ruleText)].join('\n');

/** What each endpoint of a run does to packets now. */
export function inEffect({ faults, endpoints }: Devices): Map<string, Faults> {
  const now = new Map<string, Faults>([...endpoints.keys()].map((name) => [name, NONE]));
  for (const e of faults) now.set(e.endpoint ?? '', e);
  return now;
}

/** What all endpoints have now, or one of them. Null where they differ. */
export function common(now: ReadonlyMap<string, Faults>, endpoint: string | null): Faults | null {
  if (endpoint !== null) return now.get(endpoint) ?? NONE;
  const [first = NONE, ...others] = now.values();
  return others.every((one) => sameText(one) === sameText(first)) ? first : null;
}

/** What each endpoint has now, in one line; endpoints that have the same are not told apart. */
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

/** How often the settings of an endpoint were changed, at most: a change for all endpoints is one. What they hit is in the packets. */
export function changedText({ faults }: Told): string {
  const changes = new Map<string, number>();
  for (const { endpoint = '' } of faults) changes.set(endpoint, (changes.get(endpoint) ?? 0) + 1);
  const most = Math.max(...changes.values());
  return `settings changed ${most === 1 ? 'once' : `${most} times`}`;
}
