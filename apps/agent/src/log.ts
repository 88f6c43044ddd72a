import { pino, type Logger } from 'pino';

export type { Logger };

/** Logs are JSON lines on stderr; stdout is for what was asked for. LOG_LEVEL or --log-level sets how much. */
export function createLogger(level: string): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  );
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
