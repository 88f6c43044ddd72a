import { binding } from './binding.js';

/** Lets another process of this user trace this process (ptrace), where Yama allows that only to ancestors. */
export const allowTracer = (pid: number): void => binding.allowTracer(pid);
