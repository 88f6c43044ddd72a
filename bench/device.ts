// The embedded device beside sockets, over its two links: bulk, small messages, round trips, sleeping targets.
import { shmCases } from './device/shm.js';
import { sleepingCost, udpCases } from './device/udp.js';
import { benchOptions, runCases, type Row } from './lib/paired.js';

const { pairs, ...chosen } = benchOptions();

await runCases<Row>({ ...shmCases(pairs), ...udpCases(pairs) }, chosen, (name, row) => {
  if (name !== 'sleeping-target') return { row };
  const costs = sleepingCost.map((cost) => cost.toFixed(3)).join(' ');
  return { row, remark: `CPU of the sleeping target, s/GB (target at most 0.12): ${costs}` };
});
