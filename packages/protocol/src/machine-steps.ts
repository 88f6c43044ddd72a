// No schemas here: pages use this file.

/** Steps of a virtual machine's start, in order. */
export const MACHINE_STEPS = ['kernel', 'modules', 'files', 'network', 'rxe0', 'agent', 'ready'] as const;
export type MachineStep = (typeof MACHINE_STEPS)[number];
