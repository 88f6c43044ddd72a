import type { FaultRule, Faults } from '@verbslab/protocol';
import type { Dial } from './stops';

/** Settings of the sliders, seed and rules of an endpoint, or of all. */
export interface Draft {
  /** Values of the dials, not slider positions. */
  dials: Readonly<Record<Dial['id'], number>>;
  /** Seed; 0: another one each time. */
  seed: number;
  rules: readonly FaultRule[];
}

export const NOTHING: Draft = {
  dials: { drop: 0, delayUs: 0, jitterUs: 0, reorder: 0, duplicate: 0, corrupt: 0, mark: 0, rateBps: 0 },
  seed: 1,
  rules: [],
};

/** Index of the stop nearest to a value, by ratio. */
export function stopOf({ stops }: Dial, value: number): number {
  const exact = stops.indexOf(value);
  if (exact >= 0) return exact;
  const near = stops.map((stop) => (stop === 0 ? Infinity : Math.abs(Math.log(stop / value))));
  return near.indexOf(Math.min(...near));
}

/** The draft after a dial was moved. Jitter never exceeds the delay. */
export function moved(draft: Draft, id: Dial['id'], value: number): Draft {
  const dials = { ...draft.dials, [id]: value };
  if (id === 'jitterUs') dials.delayUs = Math.max(dials.delayUs, dials.jitterUs);
  else dials.jitterUs = Math.min(dials.jitterUs, dials.delayUs);
  return { ...draft, dials };
}

export function faultsOf({ dials, seed, rules }: Draft): Faults {
  const { delayUs, jitterUs, rateBps, ...rates } = dials;
  const drawn = Object.entries(rates).filter(([, part]) => part > 0);
  const shape = { ...(delayUs > 0 ? { delayUs, jitterUs } : {}), ...(rateBps > 0 ? { rateBps } : {}) };
  return {
    ...(drawn.length > 0
      ? {
          rates: {
            ...Object.fromEntries(drawn),
            ...(seed > 0 ? { seed: `0x${seed.toString(16)}` as const } : {}),
          },
        }
      : {}),
    ...(Object.keys(shape).length > 0 ? { shaping: shape } : {}),
    ...(rules.length > 0 ? { rules: [...rules] } : {}),
  };
}

/** Draft that shows these faults, as closely as the sliders can. `seed`: for faults without one. */
export function draftOf({ rates = {}, rules = [], shaping = {} }: Faults, seed = NOTHING.seed): Draft {
  const { drop = 0, reorder = 0, duplicate = 0, corrupt = 0, mark = 0 } = rates;
  const { delayUs = 0, jitterUs = 0, rateBps = 0 } = shaping;
  return {
    dials: { drop, delayUs, jitterUs, reorder, duplicate, corrupt, mark, rateBps },
    seed: rates.seed === undefined ? seed : Number(rates.seed),
    rules,
  };
}
