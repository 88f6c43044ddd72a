/** Lists the devices of this machine and ends. A process of its own: drivers’ libraries run in it, not in the agent. */
import { writeSync } from 'node:fs';
import { listProviders } from '@verbslab/verbs';
import { describeDevices } from '../endpoint/describe.js';

const problems = listProviders().flatMap(({ provider, error }) =>
  error === null ? [] : [{ provider, message: error.message, cure: error.hint }],
);
writeSync(1, JSON.stringify({ devices: describeDevices(), problems }));
// The embedded device keeps a thread; what it has open goes with the process.
process.exit(0);
