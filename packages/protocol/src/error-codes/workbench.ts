// Errors of workbench programs: missing tools, failed compilation, stopped programs.
import type { ErrorTable } from './entry.js';

export const workbench = {
  PROGRAMS_OFF: {
    http: 403,
    message: 'This agent does not run programs that come from the workbench: its owner has not allowed it.',
    cure: 'Stop the agent and start it with `{command}`.',
  },
  UNKNOWN_TASK: {
    http: 404,
    usage: true,
    message: 'The workbench has no task “{task}”.',
    cure: 'Choose one of: {known}.',
  },
  SOURCE_SIZE: {
    http: 413,
    usage: true,
    message: 'The program has {bytes} bytes (limit {limit}).',
    cure: 'Make it shorter.',
  },
  WORKBENCH_MISSING: {
    http: 503,
    message: '{what} is not installed on the agent’s host.',
    cure: 'Install it there: {command}',
  },
  WORKBENCH_UNCONFINED: {
    http: 503,
    message: 'This host cannot confine programs, so the workbench does not run them: {detail}.',
    cure: 'Run `npm run build`, and use a kernel of 5.14 or later with Landlock and seccomp (Debian 12 and Ubuntu 24.04 have both).',
  },
  WORKBENCH_PTRACE: {
    http: 503,
    message:
      'The kernel of this host does not let the workbench look into the programs that it confines (most often kernel.yama.ptrace_scope), so it runs none.',
    cure: 'Run `sudo sysctl kernel.yama.ptrace_scope=1` and restart the agent. If the value is 3, set it in /etc/sysctl.d and reboot.',
  },
  COMPILE_FAILED: {
    http: 400,
    usage: true,
    message: 'The program does not compile: {first}',
    cure: 'Correct the line, then run it again.',
  },
  PROGRAM_IMPORT: {
    http: 400,
    usage: true,
    message: 'Line {line} uses “{name}”, which programs of the workbench may not.',
    cure: 'Use only `@verbslab/verbs` and the language itself.',
  },
  PROGRAM_STOPPED_TIME: {
    http: 504,
    message: 'The program was stopped after {seconds} s, the limit of its {what}.',
    cure: 'Look for a loop without an end, or a wait for a completion that never comes.',
  },
  PROGRAM_STOPPED_MEMORY: {
    http: 507,
    message: 'The program was stopped: it used more than {limit} MiB of memory.',
    cure: 'Look for a loop that allocates or registers without freeing.',
  },
  PROGRAM_STOPPED_MEMORY_FILES: {
    http: 507,
    message: 'The program was stopped: it made more than {limit} files in memory ({call}).',
    cure: 'Look for a loop that makes them. The device makes one for each process that it reaches.',
  },
  PROGRAM_STOPPED_FILES_SIZE: {
    http: 507,
    message: 'The program was stopped: its files took more than {limit} MiB.',
    cure: 'Write less. The tasks need no files.',
  },
  PROGRAM_STOPPED_FORK: {
    http: 403,
    message: 'The program was stopped: it tried to start another process, or too many threads ({call}).',
    cure: 'Keep both ends in one process; up to 128 threads are allowed.',
  },
  PROGRAM_STOPPED_SOCKET: {
    http: 403,
    message: 'The program was stopped: it tried to use a socket without the device ({call}).',
    cure: 'Send data with verbs. Programs of the workbench reach nothing but the device.',
  },
  PROGRAM_STOPPED_PATH: {
    http: 403,
    message: 'The program was stopped: it tried to reach {path} ({call}).',
    cure: 'Use only files in the program’s own folder, by names such as "out.txt".',
  },
  PROGRAM_STOPPED_DEVICE: {
    http: 409,
    message:
      'The program was stopped: other programs have the device open, and no network of its own keeps this one from them.',
    cure: 'End the other programs and run it again. Where users may create namespaces, they can run side by side (on Ubuntu 24.04: sysctl kernel.apparmor_restrict_unprivileged_userns=0).',
  },
} as const satisfies ErrorTable;
