import type { Logger } from './log.js';

/**
 * A lab’s procedure may leave a promise that nobody waits for. Its rejection would end the process, and with it every
 * run; here it is logged instead. To which run it belongs is not known.
 */
export function logStrayRejections(logger: Logger): void {
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: reason }, 'a promise was rejected and nothing was waiting for it');
  });
}
