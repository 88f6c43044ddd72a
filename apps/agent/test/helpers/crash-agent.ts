/**
 * An agent in its own process, for tests that kill it. Prints its URL, and logs at LOG_LEVEL. With
 * VERBSLAB_TEST_PACKETS, an endpoint sends frames of that many packets all the time, once it gets a command.
 */
import { encodePackets } from '@verbslab/protocol';
import { startAgent } from '../../src/agent.js';
import { DeviceList } from '../../src/devices/list.js';
import { createLogger } from '../../src/base/log.js';
import { logStrayRejections } from '../../src/base/stray-rejections.js';
import { device } from './device.js';
import { puppets } from './endpoint.js';
import { LABS } from './labs.js';

const { spawn } = puppets();
const packets = Array.from({ length: Number(process.env.VERBSLAB_TEST_PACKETS ?? 0) }, (_, index) => ({
  t: index,
  tapSeq: index,
  direction: 'sent' as const,
  flags: 0,
  origLen: 60,
  bytes: new Uint8Array(60),
}));
const logger = createLogger(process.env.LOG_LEVEL ?? 'silent');
logStrayRejections(logger);
const agent = await startAgent({
  port: 0,
  labs: LABS,
  spawn: async (options) => {
    const endpoint = await spawn(options);
    const bare = { ...endpoint };
    // A command comes after the source that the frames are of.
    endpoint.call = (op, args) => {
      if (packets.length > 0)
        setInterval(() => options.onFrame(encodePackets({ source: 1, t: 0 }, packets)), 10);
      return bare.call(op, args);
    };
    return endpoint;
  },
  logger,
  devices: new DeviceList(() => Promise.resolve({ devices: [device], problems: [] })),
});
process.stdout.write(`${agent.url}\n`);
