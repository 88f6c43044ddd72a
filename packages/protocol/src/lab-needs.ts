// No schemas here: pages of labs use this, and must not load a validator for it.
import { CAPABILITIES, type Capability } from './capabilities.js';
import type { LabDescription } from './lab.js';

/** Capabilities that the lab requires with these parameters: its own `needs`, and those of the choices. */
export function neededBy(
  { needs, params }: Pick<LabDescription, 'needs' | 'params'>,
  values: Readonly<Record<string, unknown>>,
): Capability[] {
  const all = new Set(needs);
  for (const [name, property] of Object.entries(params.properties ?? {}))
    for (const capability of choiceNeeds(property, String(values[name]))) all.add(capability);
  return [...all];
}

/** Known capabilities that a choice of a property requires. A property of a schema may hold anything. */
function choiceNeeds(property: unknown, choice: string): Capability[] {
  const { choiceNeeds: needs } = (property ?? {}) as {
    choiceNeeds?: Readonly<Record<string, unknown>> | null;
  };
  const words = needs?.[choice];
  return Array.isArray(words) ? CAPABILITIES.filter((one) => words.includes(one)) : [];
}
