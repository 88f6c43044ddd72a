/** C programs of this suite, for cases that packaged programs do not cover. */
import { afterAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { start } from './run.js';

const programs = new Programs();
afterAll(() => {
  programs.remove();
});

describe.skipIf(!able)('small C programs', () => {
  it('calls with windows, invalidation, a shared queue and events', async () => {
    const { code, output } = await start(programs.compile('rpc'), [], {
      ordinaryUser: true,
    }).finished;
    expect(code, output).toBe(0);
    expect(output).toBe('1200 calls of 3 clients answered\n');
  });

  const rules: Record<string, RegExp> = {
    inline: /inline, and the QP was created for 64 [^]*IBV_SEND_INLINE is set on RDMA_READ/,
    solicited: /^$/,
    full: /\(ENOMEM\): all \d+ entries of the send queue are in use/,
    lengths: /more than the port's max_msg_sz/,
    arming: /^$/,
    'late-receive': /^$/,
    registering: /^$/,
  };
  const links = Object.keys(rules).flatMap((rule) => ['auto', 'udp'].map((link) => ({ rule, link })));
  it.each(links)('keep the rule $rule over $link', async ({ rule, link }) => {
    const { code, output } = await start(programs.compile('rules'), [rule], {
      ordinaryUser: true,
      env: { UROCE_LINK: link },
    }).finished;
    expect(code, output).toBe(0);
    expect(output).toMatch(rules[rule]!);
  });

  it('fork under registered memory', async () => {
    const { code, output } = await start(programs.compile('fork'), [], {
      ordinaryUser: true,
    }).finished;
    expect(code, output).toBe(0);
    expect(output).toBe('parent and child were served\n');
  });
});
