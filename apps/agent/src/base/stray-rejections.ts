import type { Logger } from './log.js';

/**
 * A lab’s procedure may start something and not wait for it. If that is rejected, Node would end the process and with
 * it every run. The rejection is logged instead; its run is unknown.
 */
export function logStrayRejections(logger: Logger): void {
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: reason }, 'a promise was rejected and nothing was waiting for it');
  });
}
