// Without schemas: pages ask for it.

/** The states of a virtual machine on its way, in order. */
export const MACHINE_STEPS = ['kernel', 'modules', 'files', 'network', 'rxe0', 'agent', 'ready'] as const;
export type MachineStep = (typeof MACHINE_STEPS)[number];
