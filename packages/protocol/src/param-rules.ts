/**
 * Rules between the parameters of a lab, and between parameters and devices. A lab declares them as data. The agent
 * refuses a run that breaks a rule, also for the command, and the form shows the rule at the field.
 */
import type { DeviceInfo } from './device.js';
import type { LabDescription } from './lab.js';

/** Limits of devices in rules. */
export const DEVICE_LIMITS = ['maxMessageSize', 'maxMrSize', 'maxQpWr', 'maxCqe'] as const;
type DeviceLimit = (typeof DEVICE_LIMITS)[number];

export interface ParamRule {
  param: string;
  bound: 'at-most' | 'at-least';
  /** Bound: another parameter times the factor `times`, or a limit of every device of the run. */
  of: { param: string; times?: number | undefined } | { device: DeviceLimit };
  /** Exception: the rule does not apply with this value of another parameter. */
  unless?: { param: string; is: string } | undefined;
  /** Reason, as a sentence. */
  why: string;
}

/** Properties of a device that rules use. */
export type LimitedDevice = Pick<DeviceInfo, 'name' | 'limits' | 'ports'>;
export type ParamValues = Readonly<Record<string, unknown>>;

/** Bound of a rule with given values. `device`: the device that limits it. */
export interface Bound {
  value: number;
  device?: string;
}

function limitOf({ limits, ports }: LimitedDevice, limit: DeviceLimit): number | null {
  const of =
    limit === 'maxMessageSize'
      ? ports.flatMap(({ maxMessageSize }) => (maxMessageSize === undefined ? [] : [maxMessageSize]))
      : [limits[limit]];
  return of.length === 0 ? null : Math.min(...of);
}

export function boundOf(
  rule: ParamRule,
  values: ParamValues,
  devices: readonly LimitedDevice[],
): Bound | null {
  const { of, unless } = rule;
  if (unless && values[unless.param] === unless.is) return null;
  if ('param' in of) {
    const other = values[of.param];
    return typeof other === 'number' ? { value: other * (of.times ?? 1) } : null;
  }
  let tightest: Bound | null = null;
  for (const device of devices) {
    const value = limitOf(device, of.device);
    if (value !== null && (tightest === null || value < tightest.value))
      tightest = { value, device: device.name };
  }
  return tightest;
}

export interface BrokenRule {
  param: string;
  /** Problem, without a full stop. */
  detail: string;
  /** Cure and reason: whole sentences. */
  hint: string;
}

/**
 * The first broken rule of each parameter. `say` formats a value of a parameter with its unit, `title` names a
 * parameter.
 */
export function brokenRules(
  rules: readonly ParamRule[],
  values: ParamValues,
  devices: readonly LimitedDevice[],
  { say, title }: { say: (param: string, value: number) => string; title: (param: string) => string },
): BrokenRule[] {
  const broken = new Map<string, BrokenRule>();
  for (const rule of rules) {
    const { param, of } = rule;
    const value = values[param];
    const bound = boundOf(rule, values, devices);
    if (typeof value !== 'number' || bound === null || broken.has(param)) continue;
    const most = rule.bound === 'at-most';
    if (most ? value <= bound.value : value >= bound.value - 1e-9) continue;
    const limit = say(param, bound.value);
    const whose =
      'device' in of ? `the limit of ${bound.device ?? 'the device'}` : `what “${title(of.param)}” allows`;
    broken.set(param, {
      param,
      detail: `${say(param, value)} is ${most ? 'more' : 'less'} than ${limit}, ${whose}`,
      hint: `Give at ${most ? 'most' : 'least'} ${limit}. ${rule.why}`,
    });
  }
  return [...broken.values()];
}

/**
 * Device that an agent chooses for an endpoint without a place: usable devices first, then those with the most needed
 * and wanted capabilities, then in the order of the list.
 */
export function bestDevice(
  devices: readonly DeviceInfo[],
  lab: Pick<LabDescription, 'needs' | 'wants'>,
): DeviceInfo | undefined {
  const score = (device: DeviceInfo): number =>
    (device.problem ? 0 : 1000) +
    [...lab.needs, ...lab.wants].filter((one) => device.capabilities.includes(one)).length;
  return [...devices].sort((a, b) => score(b) - score(a))[0];
}
