/** Loops at both ends, until the client's has ended. */
import {
  AppError,
  type EndpointArgs,
  type EndpointHandle,
  type EndpointLoopResult,
} from '@verbslab/protocol';

/** Measurements of the loops at both ends. */
export interface Measured {
  client: EndpointLoopResult;
  server: EndpointLoopResult;
}

/**
 * Runs a loop at each end. Throws AppError where a loop fails.
 * @param loopOf the loop of an end; that of the client gets the port of the server’s
 * @param settle waits, after the client’s loop, until the server’s may be stopped
 */
export async function runBothEnds(
  ends: { client: EndpointHandle; server: EndpointHandle },
  loopOf: (role: 'initiator' | 'target', port: number) => EndpointArgs<'loop.start'>,
  settle: (loop: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<Measured> {
  const target = await ends.server.call('loop.start', loopOf('target', 0));
  try {
    const initiator = await ends.client.call('loop.start', loopOf('initiator', target.port));
    const client = await ends.client.call('loop.wait', { loop: initiator.loop });
    await settle(target.loop);
    await ends.server.call('loop.stop', { loop: target.loop });
    const server = await ends.server.call('loop.wait', { loop: target.loop });
    const error = client.error ?? server.error;
    if (error) throw AppError.from(error);
    return { client, server };
  } catch (error) {
    // The server’s loop must not go on without its client.
    await ends.server.call('loop.stop', { loop: target.loop }).catch(() => undefined);
    throw error;
  }
}
