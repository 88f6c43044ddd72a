import { describe, expect, it } from 'vitest';
import { LINK_TEXT, providerText } from '../src/links.js';

describe('what carried the packets of a run', () => {
  it('is one sentence where all took the same way', () => {
    expect(providerText('user-space', ['udp'])).toMatch(new RegExp(`${LINK_TEXT.udp}$`));
    expect(providerText('user-space', ['shm'])).toMatch(new RegExp(`${LINK_TEXT.shm}$`));
  });

  it('names each link where both carried some, and says of neither that it carried all', () => {
    const text = providerText('user-space', ['udp', 'shm']);
    expect(text).toMatch(/RDMA over UDP .* kernel; RDMA over shared memory .* bypasses the kernel\.$/);
    for (const alone of Object.values(LINK_TEXT)) expect(text).not.toContain(alone);
  });

  it('is left out where it is not known', () => {
    expect(providerText('kernel', undefined)).toBe(providerText('kernel', []));
    expect(providerText('kernel', undefined)).not.toContain('Packets');
  });
});
