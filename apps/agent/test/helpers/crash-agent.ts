/** An agent in a process of its own, for tests that kill it. Prints its URL. */
import { startAgent } from '../../src/agent.js';
import { DeviceList } from '../../src/devices/list.js';
import { createLogger } from '../../src/log.js';
import { device } from './device.js';
import { puppets } from './endpoint.js';
import { LABS } from './labs.js';

const { spawn } = puppets();
const agent = await startAgent({
  port: 0,
  labs: LABS,
  spawn,
  logger: createLogger('silent'),
  devices: new DeviceList(() => Promise.resolve({ devices: [device], problems: [] })),
});
process.stdout.write(`${agent.url}\n`);
