import { z } from 'zod';
import type { Capability } from './capabilities.js';
import { zCapabilities } from './device.js';
import type { LabDescription } from './lab.js';

/** A property of the parameters' schema with a choice that not every device offers. */
const zChoices = z.object({ choiceNeeds: z.record(z.string(), zCapabilities) });

/** Capabilities that the lab requires with these parameters: its own `needs`, and those of the choices. */
export function neededBy(
  { needs, params }: Pick<LabDescription, 'needs' | 'params'>,
  values: Readonly<Record<string, unknown>>,
): Capability[] {
  const all = new Set(needs);
  for (const [name, property] of Object.entries(params.properties ?? {})) {
    const { data } = zChoices.safeParse(property);
    for (const capability of data?.choiceNeeds[String(values[name])] ?? []) all.add(capability);
  }
  return [...all];
}
