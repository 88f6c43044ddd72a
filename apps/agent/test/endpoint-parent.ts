/** A process with an endpoint, to be killed by a test. */
import { Recording } from './endpoint-harness.js';

const endpoint = await new Recording().spawn('client');
await endpoint.call('allocPd', {});
console.log(endpoint.pid);
setInterval(() => undefined, 1000);
