/**
 * The agent's view of its machine, for a page that explains the setup of two machines and follows it. Nothing is
 * changed.
 */
import { z } from 'zod';
import { PLAIN_MS } from './connection.js';
import { reply, request } from './message.js';
import { zErrorInfo } from './error-schema.js';
import { zCount } from './verbs.js';
import { zMachine, zMachinesPlan, zMachinesWork } from './virtual-machines.js';

/** Result of a check of `verbslab doctor`. */
export const zFinding = z.object({
  /** Id of the check, e.g. `gid`. */
  check: z.string(),
  /** Level: `problem` prevents RDMA; `note` is worth knowing; `ok` is correct. */
  level: z.enum(['ok', 'note', 'problem']),
  text: z.string(),
  why: z.string().optional(),
  /** Commands or steps of the cure, in order. */
  cure: z.array(z.string()).optional(),
});
export type SetUpFinding = z.infer<typeof zFinding>;

/** Text that a program prints because of a faulty setup, with its meaning. */
export const zSymptom = z.object({
  text: z.string(),
  from: z.string(),
  meaning: z.string(),
  cure: z.string(),
});
export type Symptom = z.infer<typeof zSymptom>;

export const zSetUp = z.object({
  findings: z.array(zFinding),
  /** IPv4 addresses of the machine, without loopback. */
  addresses: z.array(z.string()),
  vms: z.object({
    /** Reason why `verbslab vms up` would fail; null: nothing is known to be missing. */
    missing: zErrorInfo.nullable(),
    /** Machines that were started. */
    machines: z.array(zMachine),
    /** Plan of a start; null if this host cannot start machines. */
    plan: zMachinesPlan.nullable(),
    /** Duration of this agent's last starts of all machines, ms, the latest last. */
    starts: z.array(zCount),
    /** Current or last work of the agent on the machines; null: none since it was started. */
    work: zMachinesWork.nullable(),
  }),
  symptoms: z.array(zSymptom),
});
export type SetUp = z.infer<typeof zSetUp>;

export const SET_UP_MESSAGES = [
  request('set-up.look', {}, reply('set-up.seen', { seen: zSetUp }), {
    patience: 2 * PLAIN_MS,
    what: "what `verbslab doctor` finds on the agent's machine, its addresses, its virtual machines and what they still need, and the messages that `doctor --explain` knows. Changes nothing",
  }),
];
