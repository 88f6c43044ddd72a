import { pino, type Logger } from 'pino';
import { printable } from './printable.js';

export type { Logger };

/** Logs are JSON lines on stderr; stdout is for the requested output. LOG_LEVEL or --log-level sets the level. */
export function createLogger(
  level: string,
  to: { write(line: string): unknown } = pino.destination({ fd: 2, sync: true }),
): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => void to.write(printable(line)) },
  );
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
