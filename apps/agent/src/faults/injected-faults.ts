import type { Faults } from '@verbslab/protocol';
import type { InjectedFaults } from '@verbslab/verbs';

function defined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** Faults as the device takes them. */
export function injectedFaults({ rates, rules = [], shaping }: Faults): InjectedFaults {
  const { seed, ...given } = rates ?? {};
  return {
    rules: rules.map((rule) => defined(rule)),
    ...(rates ? { rates: { ...defined(given), ...(seed === undefined ? {} : { seed: BigInt(seed) }) } } : {}),
    ...(shaping ? { shaping: defined(shaping) } : {}),
  };
}
