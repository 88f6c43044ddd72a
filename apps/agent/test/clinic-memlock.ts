/** The clinic's case of the locked-memory limit at endpoints that have one. For lab-clinic-limit.test.ts. */
import { LABS } from '@verbslab/labs';
import { startLab } from './endpoint-harness.js';

const env = process.argv[2] === 'strict' ? { UROCE_STRICT_MEMLOCK: '1' } : {};
const lab = LABS.find(({ description }) => description.id === 'clinic')!;
const run = await startLab(lab, { params: { case: 'memory-limit' }, env });
try {
  await run.finished;
  console.log(JSON.stringify({ checks: run.checks, answer: run.answer }));
} finally {
  await run.close();
}
