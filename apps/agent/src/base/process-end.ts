/** The end of one of the agent's own processes, and what a person can do about it. */
export interface ProcessEnd {
  /** The middle of a sentence: `killed by SIGKILL`. */
  how: string;
  /** Whole sentences. */
  hint: string;
}

const NATIVE_FAULT =
  'Native code of the device or its driver failed. Run it again; if it happens again, report it with the agent’s log.';
const ENDED_FROM_OUTSIDE = 'Another process ended it. Run it again.';

const HINTS: Readonly<Record<string, string>> = {
  SIGKILL:
    'The kernel kills a process when memory runs out or a resource limit is reached; a person can, too. Look for “Out of memory” in `dmesg` or `journalctl -k`, free memory or raise the limit of the container (`ulimit -a` shows those of a shell), then run it again.',
  SIGXCPU: 'It reached its CPU-time limit. Raise `ulimit -t` and restart the agent.',
  SIGXFSZ: 'It reached its file-size limit. Raise `ulimit -f` and restart the agent.',
  SIGABRT:
    'It stopped itself, most often because it could get no more memory. Free memory or raise `ulimit -v`, then run it again; the log says more.',
  SIGTRAP:
    'It stopped itself, most often because it could get no more memory. Free memory or raise `ulimit -v`, then run it again; the log says more.',
  SIGSYS: 'A seccomp filter forbids a system call that it needs. Run the agent without that filter.',
  SIGSEGV: NATIVE_FAULT,
  SIGBUS: NATIVE_FAULT,
  SIGILL: NATIVE_FAULT,
  SIGFPE: NATIVE_FAULT,
  SIGTERM: ENDED_FROM_OUTSIDE,
  SIGINT: ENDED_FROM_OUTSIDE,
  SIGHUP: ENDED_FROM_OUTSIDE,
};
const PLAIN_HINT = 'Run it again; if it happens again, the log says more.';

/** Explains an end by its signal; without one by the exit code. */
export function processEnd(code: number | null, signal: string | null): ProcessEnd {
  if (signal === null) return { how: `exit code ${code ?? 'unknown'}`, hint: PLAIN_HINT };
  return { how: `killed by ${signal}`, hint: HINTS[signal] ?? PLAIN_HINT };
}

const START_HINTS: Readonly<Record<string, string>> = {
  EAGAIN: 'The limit on processes is reached. End other programs or raise `ulimit -u`, then run it again.',
  ENOMEM: 'Memory has run out. End other programs, then run it again.',
  EMFILE: 'The limit on open files is reached. Raise `ulimit -n` and restart the agent.',
  ENFILE: 'The machine has too many files open. End other programs, then run it again.',
};

/** Explains by its error code why a process could not be started. */
export function startFailure(code: string): ProcessEnd {
  return { how: `it could not be started: ${code}`, hint: START_HINTS[code] ?? PLAIN_HINT };
}
