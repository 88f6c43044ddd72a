/**
 * Records what real endpoints answer to the labs, for the tests of packages/labs:
 * `npx tsx apps/agent/test/record-labs.ts && npx oxfmt packages/labs/test/recordings`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { findLab } from '@verbslab/labs';
import { startLab, type RecordedCall } from './endpoint-harness.js';

const RECORDINGS = {
  'minimal-flow': { lab: 'minimal-flow', params: { size: 10_000 } },
  'bulk-write': {
    lab: 'bulk',
    params: { duration: 0.2, repeat: 2, omit: 0.1, size: '128KiB', memory: '256KiB', capturePackets: 64 },
  },
  'bulk-read': {
    lab: 'bulk',
    params: { duration: 0.4, repeat: 1, omit: 0.1, operation: 'read', transport: 'rdma', capturePackets: 64 },
  },
};

const folder = new URL('../../../packages/labs/test/recordings/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, { lab, params }] of Object.entries(RECORDINGS)) {
  const calls: RecordedCall[] = [];
  const run = await startLab(findLab(lab), { params, onCall: (call) => calls.push(call) });
  await run.finished;
  const bad = run.checks.filter(({ ok }) => !ok);
  if (bad.length > 0) throw new Error(`${name}: ${bad.map(({ detail }) => detail).join(' ')}`);
  const devices = Object.fromEntries(
    Object.values(run.endpoints).map((endpoint) => [endpoint.name, endpoint.device]),
  );
  await run.close();
  const text = JSON.stringify({ lab, params, devices, calls }, null, 1);
  writeFileSync(new URL(`${name}.json`, folder), `${text}\n`);
  console.log(`${name}: ${calls.length} calls, ${run.checks.length} checks`);
}
