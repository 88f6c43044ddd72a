/**
 * Lists the devices of this machine and ends. This is a separate process, since drivers’ libraries run in it, not in
 * the agent. Argument: `system` or `embedded`, for the devices of one library only.
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
// The embedded device keeps a thread; its open objects end with the process.
process.exit(0);
