/** What the agent sees of its machine: for a page that says how to set up two machines, and follows along. Nothing is changed. */
import { z } from 'zod';
import { PLAIN_MS } from './connection.js';
import { reply, request } from './message.js';
import { zErrorInfo } from './errors.js';
import { zCount } from './verbs.js';
import { zMachine, zMachinesPlan, zMachinesWork } from './virtual-machines.js';

/** What a check of `verbslab doctor` says. */
export const zFinding = z.object({
  /** Which check says so, e.g. `gid`. */
  check: z.string(),
  /** `problem` stops RDMA from working; `note` is worth knowing; `ok` is as it should be. */
  level: z.enum(['ok', 'note', 'problem']),
  text: z.string(),
  why: z.string().optional(),
  /** Commands or steps that fix it, in order. */
  cure: z.array(z.string()).optional(),
});
export type SetUpFinding = z.infer<typeof zFinding>;

/** What a program prints when the setup is at fault, and what that means. */
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
    /** Why `verbslab vms up` would fail; null: nothing is known to be missing. */
    missing: zErrorInfo.nullable(),
    /** Machines that were started. */
    machines: z.array(zMachine),
    /** Null where this host cannot start any. */
    plan: zMachinesPlan.nullable(),
    /** ms that the last starts of all machines by this agent took, the latest last. */
    starts: z.array(zCount),
    /** What the agent does with them, or did last; null: nothing since it was started. */
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
