// Errors of the data directory and its disk.
import type { ErrorTable } from './entry.js';

export const storage = {
  DISK_FULL: {
    http: 507,
    message: 'The disk of {path} or your quota on it is full: {free} are free.',
    cure: 'Free space on that disk (delete runs, for example), or set VERBSLAB_HOME to a folder on another disk. Then try again. Everything recorded so far is kept.',
  },
  READ_ONLY: {
    http: 500,
    message: '{path} is on a disk that is mounted read-only.',
    cure: 'Set VERBSLAB_HOME to a folder on a disk that can be written, or mount that disk with write access.',
  },
  HISTORY_DAMAGED: {
    http: 500,
    message: 'The run history {path} is damaged: {detail}.',
    cure: 'Start the agent once with --new-history: it moves the damaged file and the captures aside and starts an empty history. `sqlite3 FILE .recover` reads what is left of the old one.',
  },
  DATA_DIRECTORY: {
    http: 500,
    message: '{path} cannot be used: {detail}.',
    cure: 'Set VERBSLAB_HOME to a folder that you own and can write to.',
  },
  DAMAGED_FILE: {
    http: 500,
    message: 'The file {path} is damaged: {detail}.',
    cure: '{hint}',
  },
  HISTORY: {
    http: 500,
    message: 'The run cannot be written to the history: {detail}.',
    cure: 'Read the agent’s log, then run the lab again. Everything recorded so far is kept.',
  },
  OUTPUT_LOST: {
    http: 500,
    message: 'The output could not be written: {detail}.',
    cure: 'What was printed is not whole. Free space where it goes, or send it elsewhere, and repeat the command.',
  },
  OPEN_FILES: {
    http: 500,
    message: 'At most {limit} files may be open at once (`ulimit -n`); Verbs Lab needs {needed}.',
    cure: 'Raise the limit with `ulimit -n 1024`, then try again.',
  },
} as const satisfies ErrorTable;
