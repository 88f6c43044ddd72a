/**
 * A whole agent in a process of its own, to pair with and to kill: prints its join string. Argument: the address to
 * listen on.
 */
import { LABS } from '@verbslab/labs';
import { startAgent } from '../../src/agent.js';
import { spawnEndpoint } from '../../src/endpoint/index.js';
import { createLogger } from '../../src/base/log.js';

const agent = await startAgent({
  host: process.argv[2] ?? '127.0.0.1',
  port: Number(process.env.VERBSLAB_PORT ?? 0),
  allowRemote: true,
  labs: LABS,
  spawn: spawnEndpoint,
  logger: createLogger('silent'),
});
process.stdout.write(`${agent.joinString}\n`);
process.on('SIGTERM', () => void agent.close().then(() => process.exit(0)));
