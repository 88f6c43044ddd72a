import { afterAll, beforeAll, vi } from 'vitest';

/** The embedded device of this file’s endpoints has an address of its own, since files run beside each other. */
export function ownAddress(address: string): void {
  beforeAll(() => {
    vi.stubEnv('UROCE_ADDR', address);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });
}
