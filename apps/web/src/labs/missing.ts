import { CAPABILITY_TEXT, neededBy, type DeviceInfo, type LabDescription } from '@verbslab/protocol';

/**
 * Error text for a device without a capability that the lab needs with these parameters. Null if no capability is
 * missing.
 */
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

/**
 * Needed capabilities of a lab for the list of labs, with a remark if no device here has them. Null if the lab needs
 * none.
 */
export function needsText(
  { needs }: Pick<LabDescription, 'needs'>,
  devices: readonly DeviceInfo[],
): string | null {
  if (needs.length === 0) return null;
  const text = `Needs ${needs.map((one) => CAPABILITY_TEXT[one]).join(', ')}`;
  const found = devices.some(({ capabilities }) => needs.every((one) => capabilities.includes(one)));
  return devices.length === 0 || found ? `${text}.` : `${text}. None of your devices has it.`;
}
