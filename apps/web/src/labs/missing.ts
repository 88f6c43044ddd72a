import { CAPABILITY_TEXT, neededBy, type DeviceInfo, type LabDescription } from '@verbslab/protocol';

/** What a device lacks that the lab needs with these parameters, and what to do; null when all have it. */
export function missingText(
  lab: Pick<LabDescription, 'needs' | 'params'>,
  values: Readonly<Record<string, unknown>>,
  devices: readonly DeviceInfo[],
): { what: string; cure: string } | null {
  const needs = neededBy(lab, values);
  for (const device of devices) {
    const capability = needs.find((one) => !device.capabilities.includes(one));
    if (capability === undefined) continue;
    const lack = device.lacks?.find((one) => one.capability === capability);
    return {
      what: `This lab needs ${CAPABILITY_TEXT[capability]}, which ${device.name} does not offer.${lack ? ` ${lack.message}` : ''}`,
      cure: lack?.cure ?? 'Choose the embedded device.',
    };
  }
  return null;
}

/** What a lab cannot do without, for the list of labs, and whether no device here has it; null where it needs nothing. */
export function needsText(
  { needs }: Pick<LabDescription, 'needs'>,
  devices: readonly DeviceInfo[],
): string | null {
  if (needs.length === 0) return null;
  const text = `Needs ${needs.map((one) => CAPABILITY_TEXT[one]).join(', ')}`;
  const found = devices.some(({ capabilities }) => needs.every((one) => capabilities.includes(one)));
  return devices.length === 0 || found ? `${text}.` : `${text}. None of your devices has it.`;
}
