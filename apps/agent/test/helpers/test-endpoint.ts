import { onTestFinished } from 'vitest';
import type { HostedEndpoint } from '../../src/endpoint/hosted-endpoint.js';
import type { Recording } from '../endpoint-harness.js';

const GRACE_MS = 10_000;

/** An endpoint that is closed when the test has ended. */
export async function testEndpoint(
  recording: Recording,
  ...options: Parameters<Recording['spawn']>
): Promise<HostedEndpoint> {
  const endpoint = await recording.spawn(...options);
  onTestFinished(() => endpoint.close(GRACE_MS));
  return endpoint;
}
