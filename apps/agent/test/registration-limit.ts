/** Runs the lab where little memory may be locked, and prints what its check says. For memory-costs.test.ts. */
import { findLab } from '@verbslab/labs';
import { startLab } from './endpoint-harness.js';

const env = process.argv[2] === 'strict' ? { UROCE_STRICT_MEMLOCK: '1' } : {};
const run = await startLab(findLab('registration-cost'), {
  params: { largest: 4 * 1024 * 1024, rounds: 3, hugePages: false },
  env: env,
});
await run.finished;
console.log(JSON.stringify({ limit: run.checks.find(({ id }) => id === 'limit') }));
await run.close();
