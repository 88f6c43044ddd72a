/** Texts on the start of two virtual machines: its cost and its progress. Pure functions. */
import { plural } from '@verbslab/labs';
import {
  MACHINE_STEPS,
  median,
  type MachinesPlan,
  type MachinesWork,
  type MachineStep,
} from '@verbslab/protocol';

const KERNEL: Readonly<Record<MachinesPlan['kernel'], (plan: MachinesPlan) => string>> = {
  host: () => 'It downloads nothing: this host has a kernel with SoftRoCE.',
  cached: () => 'It downloads nothing: the kernel was downloaded before.',
  download: ({ download }) =>
    `It downloads the kernel package of this host’s distribution once (${download} MB) and installs nothing.`,
};

const minutes = (seconds: number): string => plural(Math.ceil(seconds / 60), 'minute');

function duration({ accel, limit }: MachinesPlan): string {
  if (accel === 'kvm') return 'With KVM, a start takes seconds.';
  if (accel === 'tcg')
    return `KVM does not work here, so QEMU emulates the processors: a start takes from half a minute to ${minutes(limit)}.`;
  return `It tries KVM first. With KVM a start takes seconds, without it from half a minute to ${minutes(limit)}.`;
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)}`;

/** Text on the durations (ms each) of earlier starts of both machines on this host; '' if there were none. */
export function earlierText(starts: readonly number[]): string {
  if (starts.length === 0) return '';
  if (starts.length === 1)
    return `The last start of two machines on this host took ${seconds(starts[0]!)} s.`;
  const [least, most] = [seconds(Math.min(...starts)), seconds(Math.max(...starts))];
  return `The last ${starts.length} starts of two machines on this host took ${least === most ? least : `${least} to ${most}`} s.`;
}

/** Remaining time of a start, estimated from earlier starts or the usual duration; '' if neither is known. */
export function leftText(took: number, starts: readonly number[], plan: MachinesPlan | null): string {
  if (starts.length === 0) return plan ? duration(plan) : '';
  const left = median(starts) - took;
  return `${earlierText(starts)}${left >= 1000 ? ` If this one takes as long, about ${seconds(left)} s are left.` : ''}`;
}

/** Effects, size and duration of a start: a sentence each. `starts`: durations of earlier ones, ms. */
export function planText(plan: MachinesPlan, starts: readonly number[] = []): string[] {
  const { count, cpus, memory, touched, available } = plan;
  const each = `${plural(cpus, 'CPU')} and up to ${memory} MiB of memory`;
  return [
    `The agent starts ${count} virtual machines with ${each} each. Idle, each uses about ${touched} MiB; this host has ${available} MiB free.`,
    KERNEL[plan.kernel](plan),
    starts.length > 0 ? earlierText(starts) : duration(plan),
    'Until the start has ended, this agent runs no labs and no programs.',
  ];
}

export const STEP_WORDS: Readonly<Record<MachineStep, string>> = {
  kernel: 'Starting the kernel',
  modules: 'Loading modules',
  files: 'Mounting this host’s files',
  network: 'Setting up the network',
  rxe0: 'Adding rxe0',
  agent: 'Starting the agent',
  ready: 'Ready',
};

/** Number of finished steps of a machine. */
export const stepsDone = (step: MachineStep): number =>
  step === 'ready' ? MACHINE_STEPS.length : MACHINE_STEPS.indexOf(step);

/** Current action or outcome in a line. */
export function workText({ what, state, machines }: MachinesWork): string {
  if (what === 'down')
    return {
      working: 'Stopping the machines',
      done: 'The machines were stopped.',
      failed: 'Stop failed.',
      cancelled: '',
    }[state];
  if (state === 'cancelled') return 'The start was cancelled. What it started was ended.';
  if (state === 'failed') return 'The start failed.';
  if (state === 'done') return 'The machines were started.';
  if (machines.length === 0) return 'Preparing the kernel';
  return machines.every(({ step }) => step === 'ready')
    ? 'Pairing their agents with this one'
    : 'Starting the machines';
}

/** The later of two reports of the same agent. */
export function later(a: MachinesWork | null, b: MachinesWork | null): MachinesWork | null {
  if (!a || !b) return a ?? b;
  if (a.startedAt !== b.startedAt) return a.startedAt > b.startedAt ? a : b;
  if ((a.state === 'working') !== (b.state === 'working')) return a.state === 'working' ? b : a;
  return b.took > a.took ? b : a;
}
