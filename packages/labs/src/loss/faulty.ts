/** Faults that the device of one endpoint injects into the packets it sends, and the device's counters meanwhile. */
import type { EndpointArgs, EndpointHandle, EndpointResult } from '@verbslab/protocol';
import { z } from 'zod';

export const seedParam = z.int().min(1).max(1_000_000).default(1).meta({
  title: 'Seed',
  description:
    'Decides which packets the device picks: the same seed picks the same ones, counted from the first that it sends. Each repetition adds 1.',
});

/** The seed in the device's format. */
export const seedOf = (seed: number): `0x${string}` => `0x${seed.toString(16)}`;

export interface Faulty<T> {
  result: T;
  /** Actions of the injector. */
  did: EndpointResult<'faults.query'>;
}

/** Injects these faults while `work` runs. With rates of 0 the injector stays in the path and does nothing. */
export async function withFaults<T>(
  endpoint: EndpointHandle,
  faults: EndpointArgs<'faults'>,
  work: () => Promise<T>,
): Promise<Faulty<T>> {
  await endpoint.call('faults', faults);
  try {
    const result = await work();
    return { result, did: await endpoint.call('faults.query', {}) };
  } finally {
    await endpoint.call('faults', {});
  }
}

export interface Counted<T> {
  result: T;
  /** Growth of each counter of the endpoint’s device. */
  moved: Readonly<Record<string, number>>;
}

/** Counts the actions of this endpoint's device while `work` runs. */
export async function counting<T>(endpoint: EndpointHandle, work: () => Promise<T>): Promise<Counted<T>> {
  const { values: before } = await endpoint.call('counters', { when: 'sample' });
  const result = await work();
  const { values: after } = await endpoint.call('counters', { when: 'sample' });
  return {
    result,
    moved: Object.fromEntries(
      Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
    ),
  };
}
