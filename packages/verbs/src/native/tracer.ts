import { binding } from './binding.js';

/** Lets another process of this user trace this one (ptrace), where Yama allows that to ancestors only. */
export const allowTracer = (pid: number): void => binding.allowTracer(pid);
