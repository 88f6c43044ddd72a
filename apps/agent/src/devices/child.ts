/**
 * Lists the devices of this machine and ends. A process of its own: drivers’ libraries run in it, not in the agent.
 * Argument: `system` or `embedded`, for those of one library alone.
 */
import { writeSync } from 'node:fs';
import { listProviders, type Provider } from '@verbslab/verbs';
import { describeDevices } from './describe.js';

const only = process.argv[2] as Provider | undefined;
const providers = listProviders(only === undefined ? undefined : [only]);
const problems = providers.flatMap(({ provider, error }) =>
  error === null ? [] : [{ provider, message: error.message, cure: error.hint }],
);
writeSync(1, JSON.stringify({ devices: describeDevices(providers), problems }));
// The embedded device keeps a thread; what it has open goes with the process.
process.exit(0);
