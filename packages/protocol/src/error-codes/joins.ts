// Errors of joining runs of programs and separating them again.
import type { ErrorTable } from './entry.js';

export const joins = {
  JOIN_ENDED: {
    http: 409,
    usage: true,
    message: 'A command cannot join run {number}: it has ended.',
    cure: 'Start both commands again. `verbslab runs join` joins ended runs that ran at the same time.',
  },
  JOIN_NO_PROGRAM: {
    http: 409,
    usage: true,
    message: 'Run {number} is a run of a lab, and only runs of programs can be joined.',
    cure: 'Compare runs of labs with `verbslab runs compare`.',
  },
  JOIN_CANCELLED: {
    http: 409,
    usage: true,
    message: 'A command cannot join run {number}: it is being stopped.',
    cure: 'Start both commands again.',
  },
  JOIN_NO_AGENT: {
    http: 409,
    usage: true,
    message: '--with needs an agent, and none is running.',
    cure: 'Start it with `verbslab up`, then start both commands again.',
  },
  FAULTS_NO_AGENT: {
    http: 409,
    usage: true,
    message: '--faults needs an agent, and none is running.',
    cure: 'Start it with `verbslab up`, then start the command again.',
  },
  JOIN_OLD_AGENT: {
    http: 409,
    usage: true,
    message: 'The agent that is running is too old for this: it cannot join or separate runs.',
    cure: 'Stop it, and start it again with `verbslab up` of this version.',
  },
  JOIN_RUNNING: {
    http: 409,
    usage: true,
    message: 'Run {number} cannot be joined yet: it is {state}.',
    cure: 'Wait for it to end. A command joins a run in progress with `verbslab exec --with {number}`.',
  },
  JOIN_SAME: {
    http: 400,
    usage: true,
    message: 'Run {number} was named twice.',
    cure: 'Name two different runs.',
  },
  JOIN_IMPORTED: {
    http: 409,
    usage: true,
    message: 'Run {number} was imported from the host “{host}”.',
    cure: 'Join runs on the host that recorded them, and export the joined run.',
  },
  JOIN_APART: {
    http: 409,
    usage: true,
    message: 'Runs {a} and {b} did not run at the same time, so they are not two ends of one program.',
    cure: 'Compare them with `verbslab runs compare`.',
  },
  JOIN_PART: {
    http: 409,
    usage: true,
    message: 'Run {number} is part of run {whole}.',
    cure: 'Separate run {whole} first.',
  },
  JOIN_BUSY: {
    http: 409,
    message: 'Other runs are being joined.',
    cure: 'Try again when that is done.',
  },
  NOT_JOINED: {
    http: 409,
    usage: true,
    message: 'Run {number} cannot be separated: {why}.',
    cure: 'Only runs that were joined after they had ended have parts to separate.',
  },
} as const satisfies ErrorTable;
