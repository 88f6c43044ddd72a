/** Starting and stopping the virtual machines of the agent's host, as `verbslab vms up` and `vms down` do. */
import { z } from 'zod';
import { push, reply, request } from './message.js';
import { zErrorInfo } from './errors.js';
import { MACHINE_STEPS } from './machine-steps.js';
import { zCount } from './verbs.js';

/** A machine as it was started. `rdma`: state of the port of rxe0. */
export const zMachine = z.object({
  name: z.string(),
  condition: z.enum(['ready', 'silent', 'crashed']),
  rdma: z.string().nullable(),
});

/** What a start would do, as far as that is known before. */
export const zMachinesPlan = z.object({
  count: zCount,
  /** CPUs of each. */
  cpus: zCount,
  /** MiB that each may use, and those that it uses when it is ready and idle. */
  memory: zCount,
  touched: zCount,
  /** MiB that the host has free. */
  available: zCount,
  /** Where the kernel comes from: the host, an earlier download, or the distribution. */
  kernel: z.enum(['host', 'cached', 'download']),
  /** MB of that download. */
  download: zCount,
  /** How the processors run; null: KVM is tried first. */
  accel: z.enum(['kvm', 'tcg']).nullable(),
  /** Seconds after which a machine that is not ready counts as failed. */
  limit: zCount,
});
export type MachinesPlan = z.infer<typeof zMachinesPlan>;

export const zMachineStep = z.enum(MACHINE_STEPS);

/** A start or a stop that the agent carries out, or the last one. */
export const zMachinesWork = z.object({
  what: z.enum(['up', 'down']),
  state: z.enum(['working', 'done', 'failed', 'cancelled']),
  /** ms since 1970, by the agent's clock. */
  startedAt: z.number(),
  /** ms that it has taken. */
  took: zCount,
  /** What is done beside the machines, in words: a download, a trial of KVM. */
  said: z.array(z.string()),
  /** How far each machine is, and ms after the start of the work at which it got there. */
  machines: z.array(z.object({ name: z.string(), step: zMachineStep, at: zCount })),
  /** Last lines of the consoles. */
  output: z.string(),
  error: zErrorInfo.nullable(),
});
export type MachinesWork = z.infer<typeof zMachinesWork>;

/** Null: nothing to cancel since the agent was started. */
const MACHINES_WORK = reply('machines.work', { work: zMachinesWork.nullable() });

export const MACHINES_MESSAGES = [
  /** Starts two machines, or those again that crashed. */
  request('machines.start', {}, MACHINES_WORK, {
    what: 'starts two virtual machines as `verbslab vms up` does without options; see below',
  }),
  /** Ends all machines and deletes their files. */
  request('machines.stop', {}, MACHINES_WORK, {
    what: 'ends all virtual machines and deletes their files, as `vms down` does; see below',
  }),
  /** Cancels a start: what it started is ended. */
  request('machines.cancel', {}, MACHINES_WORK, { what: 'cancels a start, which ends what it started' }),
  /** To every client but agents, without being asked. */
  push('machines.changed', { work: zMachinesWork }),
];
