// The agent of the bench: the product's, in a process of its own, with the bench's lab and endpoint instead of the catalog.
import { fileURLToPath } from 'node:url';
import { isFinal } from '@verbslab/protocol';
import { startAgent } from 'verbslab/dist/agent.js';
import { DeviceList } from 'verbslab/dist/devices/list.js';
import { spawnEndpoint } from 'verbslab/dist/endpoint/index.js';
import { createLogger } from 'verbslab/dist/base/log.js';
import { StaticSite } from 'verbslab/dist/server/static.js';
import { device } from './device.js';
import { streamLab } from './lab.js';
import type { Answer, Command } from './messages.js';

const answer = (message: Answer): void => void process.send?.(message);

let go: () => void = () => undefined;
let cpuAtGo = process.cpuUsage();

const lab = streamLab(
  () => new Promise((resolve) => (go = resolve)),
  (sent) => {
    const { user, system } = process.cpuUsage(cpuAtGo);
    answer({ type: 'sent', sent, cpuSeconds: (user + system) / 1e6 });
  },
);
const program = {
  execArgv: ['--import', 'tsx'],
  path: fileURLToPath(new URL('./endpoint.ts', import.meta.url)),
};
const agent = await startAgent({
  port: 0,
  labs: [lab],
  spawn: (options) => spawnEndpoint({ ...options, program }),
  devices: new DeviceList(() => Promise.resolve({ devices: [device], problems: [] })),
  logger: createLogger('warn'),
  ...(process.env.SITE === undefined ? {} : { site: new StaticSite(process.env.SITE) }),
  // The product's limit applies without it: records beyond the limit are shown live only.
  ...(process.env.RECORD_ALL === undefined ? {} : { runLimit: Infinity }),
});

agent.manager.on('changed', ({ state, droppedRecords, error }) => {
  if (isFinal(state))
    answer({ type: 'ended', state, notRecorded: droppedRecords, error: error && error.message });
});

process.on('message', (command: Command) => {
  switch (command.type) {
    case 'start': {
      const { recordsPerSecond, seconds } = command;
      void agent.manager
        .start({ lab: lab.description.id, mode: 'all', params: { recordsPerSecond, seconds } })
        .then(({ id }) => answer({ type: 'started', runId: id }));
      break;
    }
    case 'go':
      cpuAtGo = process.cpuUsage();
      go();
      break;
    case 'close':
      void agent.close().then(() => process.disconnect());
      break;
  }
});
// The bench is gone.
process.on('disconnect', () => void agent.close());
answer({ type: 'up', loginUrl: agent.newLink(), url: agent.url });
