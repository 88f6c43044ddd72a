// How bad a finding of the misuse report is.

/**
 * - `error`: the program gets no sign of it, or only luck keeps it from hanging or reading wrong data.
 * - `warning`: the program was told and may have handled it, or it concerns only its end.
 * - `note`: it costs time.
 */
export const LEVELS = ['error', 'warning', 'note'] as const;
export type Level = (typeof LEVELS)[number];

const BY_ID: Record<string, Level> = {
  'sge-outside-mr': 'error',
  'send-queue-unsignaled': 'error',
  'queue-full': 'error',
  'cq-overrun': 'error',
  'completion-error-unpolled': 'error',
  'memory-gone': 'error',
  'psn-mismatch': 'error',
  'waits-forever': 'error',
  'destroy-waits': 'error',
  'completion-unpolled': 'error',
  'async-event-unread': 'error',
  'system-library-loaded': 'error',
  'post-wrong-state': 'warning',
  'post-invalid': 'warning',
  'call-refused': 'warning',
  'request-failed': 'warning',
  'request-refused': 'warning',
  'message-dropped': 'warning',
  'rnr-storm-sent': 'warning',
  'rnr-storm-received': 'warning',
  'object-leaked': 'warning',
  'event-unacknowledged': 'warning',
  'registration-churn': 'note',
};

export const levelOf = (id: string): Level => BY_ID[id] ?? 'warning';
/** Findings with a level of their own. */
export const LEVELED: readonly string[] = Object.keys(BY_ID);

export const atLeast = (level: Level, wanted: Level): boolean =>
  LEVELS.indexOf(level) <= LEVELS.indexOf(wanted);
