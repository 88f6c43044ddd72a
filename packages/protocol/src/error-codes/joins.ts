// Runs of programs that are joined.
import type { ErrorTable } from './entry.js';

export const joins = {
  JOIN_ENDED: {
    http: 409,
    usage: true,
    message: 'A command cannot join run {number}: it has ended.',
    cure: 'Run the command without --with, then use `verbslab runs join`: it joins runs that have ended.',
  },
  JOIN_NO_PROGRAM: {
    http: 409,
    usage: true,
    message: 'Run {number} is a run of a lab, and only runs of `verbslab exec` can be joined.',
    cure: 'Compare runs of labs with `verbslab runs compare`.',
  },
  JOIN_CANCELLED: {
    http: 409,
    usage: true,
    message: 'A command cannot join run {number}: it is being cancelled.',
    cure: 'Start both commands again.',
  },
  JOIN_NO_AGENT: {
    http: 409,
    usage: true,
    message: '--with needs an agent, and none is running.',
    cure: 'Start it with `verbslab up`, then start both commands again.',
  },
  JOIN_OLD_AGENT: {
    http: 409,
    usage: true,
    message: 'The agent that is running is too old for this: it cannot join commands.',
    cure: 'Stop it, and start it again with `verbslab up` of this version.',
  },
} as const satisfies ErrorTable;
