// Failures of lower layers: calls, completions, endpoints, the agent itself.
import type { ErrorTable } from './entry.js';

export const failures = {
  VERBS: { http: 500, message: '{call} failed: {meaning} ({name}).', cure: '{hint}' },
  COMPLETION: {
    http: 500,
    message: 'A {opcode} completed with {name} ({status}): {meaning}',
    cure: '{hint}',
  },
  SYSTEM: { http: 500, message: '{call} failed: {meaning} ({name}).', cure: '{hint}' },
  ENDPOINT_DIED: {
    http: 500,
    message: 'The endpoint “{endpoint}” ended unexpectedly ({how}).',
    cure: '{hint}',
  },
  ENDPOINT_BROKEN: {
    http: 500,
    message: 'The endpoint “{endpoint}” was stopped because it sent {detail}.',
    cure: 'Run the lab again. If it happens again, rebuild Verbs Lab (`npm run build`) on the host of that endpoint.',
  },
  ENDPOINT_TIMEOUT: {
    http: 504,
    message: 'The endpoint “{endpoint}” did not answer {op} within {seconds} s.',
    cure: 'Run the lab again; the machine may be overloaded.',
  },
  BAD_HANDLE: {
    http: 400,
    message: 'The endpoint has no {what} with handle {handle}.',
    cure: 'Create it first; it may have been closed already.',
  },
  LIMIT: {
    http: 400,
    usage: true,
    message: '{what}: {value} (limit {limit}).',
    cure: 'Stay within the limit.',
  },
  CANCELLED: { http: 409, message: 'The run was cancelled.', cure: 'Start it again when you like.' },
  CANCELLED_COMMAND: {
    http: 409,
    message: 'You cancelled the command; everything it had started was removed.',
    cure: 'Start it again when you like.',
  },
  INTERRUPTED: {
    http: 500,
    message: 'The agent stopped during the run.',
    cure: 'What was saved until then is kept; run it again for a full result.',
  },
  INTERNAL: {
    http: 500,
    message: 'Internal error: {detail}.',
    cure: 'Report it with the agent’s log.',
  },
} as const satisfies ErrorTable;
