/** Start and stop of the virtual machines of the agent's host, as with `verbslab vms up` and `vms down`. */
import { z } from 'zod';
import { push, reply, request } from './message.js';
import { zErrorInfo } from './error-schema.js';
import { MACHINE_STEPS } from './machine-steps.js';
import { zCount } from './verbs.js';

/** A started machine. `rdma`: state of the port of rxe0. */
export const zMachine = z.object({
  name: z.string(),
  condition: z.enum(['ready', 'silent', 'crashed']),
  rdma: z.string().nullable(),
});

/** Plan of a start, as far as it is known before. */
export const zMachinesPlan = z.object({
  count: zCount,
  /** CPUs per machine. */
  cpus: zCount,
  /** MiB that each machine may use, and MiB that it uses when it is ready and idle. */
  memory: zCount,
  touched: zCount,
  /** Free memory of the host, MiB. */
  available: zCount,
  /** Source of the kernel: the host, an earlier download, or the distribution. */
  kernel: z.enum(['host', 'cached', 'download']),
  /** Size of that download, MB. */
  download: zCount,
  /** Virtualization of the processors; null: the agent tries KVM first. */
  accel: z.enum(['kvm', 'tcg']).nullable(),
  /** Seconds after which a machine that is not ready counts as failed. */
  limit: zCount,
});
export type MachinesPlan = z.infer<typeof zMachinesPlan>;

export const zMachineStep = z.enum(MACHINE_STEPS);

/** A start or a stop in progress, or the last one. */
export const zMachinesWork = z.object({
  what: z.enum(['up', 'down']),
  state: z.enum(['working', 'done', 'failed', 'cancelled']),
  /** Start of the work, ms since 1970, by the agent's clock. */
  startedAt: z.number(),
  /** Duration so far, ms. */
  took: zCount,
  /** Work beside the machines, in words: a download, a trial of KVM. */
  said: z.array(z.string()),
  /** Step of each machine, and ms from the start of the work until it reached the step. */
  machines: z.array(z.object({ name: z.string(), step: zMachineStep, at: zCount })),
  /** Last lines of the consoles. */
  output: z.string(),
  error: zErrorInfo.nullable(),
});
export type MachinesWork = z.infer<typeof zMachinesWork>;

/** Null: no work since the agent was started. */
const MACHINES_WORK = reply('machines.work', { work: zMachinesWork.nullable() });

export const MACHINES_MESSAGES = [
  /** Starts two machines, or restarts those that crashed. */
  request('machines.start', {}, MACHINES_WORK, {
    what: 'starts two virtual machines as `verbslab vms up` does without options; see below',
  }),
  /** Ends all machines and deletes their files. */
  request('machines.stop', {}, MACHINES_WORK, {
    what: 'ends all virtual machines and deletes their files, as `vms down` does; see below',
  }),
  /** Cancels a start and ends the machines that it started. */
  request('machines.cancel', {}, MACHINES_WORK, { what: 'cancels a start, which ends what it started' }),
  /** To every client but agents, without a request. */
  push('machines.changed', { work: zMachinesWork }),
];
