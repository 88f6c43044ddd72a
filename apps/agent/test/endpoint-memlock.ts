/** Registers 16 MiB at an endpoint that may not lock as much; prints the result. For endpoint-limits.test.ts. */
import { toErrorInfo } from '@verbslab/protocol';
import { Recording } from './endpoint-harness.js';

const env = process.argv[2] === 'strict' ? { UROCE_STRICT_MEMLOCK: '1' } : {};
const endpoint = await new Recording().spawn('client', { env });
try {
  const { pd } = await endpoint.call('allocPd', {});
  await endpoint.call('regMr', { pd, length: 16 * 1024 * 1024, access: ['LOCAL_WRITE'] });
  console.log(JSON.stringify({ pinned: await endpoint.call('pinned', {}) }));
} catch (error) {
  console.log(JSON.stringify({ error: toErrorInfo(error) }));
} finally {
  await endpoint.close(2000);
}
