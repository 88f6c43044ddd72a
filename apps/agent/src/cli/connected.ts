import type { LabDescription } from '@verbslab/protocol';
import { AgentClient, type AgentAddress, type ClientEvents } from '../client/client.js';
import { findOrStart } from './find-or-start.js';
import { createLogger } from '../base/log.js';

/** Runs `body` with a connection to the agent, which is started for it if none runs. */
export async function connected<T>(
  body: (client: AgentClient, labs: LabDescription[], address: AgentAddress) => Promise<T>,
  events: ClientEvents = {},
): Promise<T> {
  const found = await findOrStart(createLogger('warn'));
  let client: AgentClient | null = null;
  try {
    const connection = await AgentClient.connect(found.address, events);
    client = connection.client;
    return await body(client, connection.welcome.labs, found.address);
  } finally {
    await client?.close();
    await found.release();
  }
}
