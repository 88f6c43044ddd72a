import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Groups } from '../src/endpoint/groups.js';

const OWN = '::ffff:127.0.0.1';

/** True if the kernel reports that some socket has joined the IPv4 group on loopback. */
function joined(group: string): boolean {
  const loopback = /\tlo [\s\S]*?(?=\n\d|$)/.exec(readFileSync('/proc/net/igmp', 'utf8'))?.[0] ?? '';
  const bytes = group.split('.').reverse();
  const hex = bytes.map((byte) => Number(byte).toString(16).padStart(2, '0')).join('');
  return loopback.includes(hex.toUpperCase());
}

it('joins an IPv4 group until every queue pair has left', () => {
  const [one, two] = ['239.77.1.2', '239.77.1.3'];
  const groups = new Groups();
  groups.join(17, `::ffff:${one}`, OWN);
  groups.join(18, `::ffff:${one}`, OWN);
  groups.join(18, `::ffff:${two}`, OWN);
  expect([one, two].map(joined)).toEqual([true, true]);
  groups.leave(17, `::ffff:${one}`);
  expect([one, two].map(joined)).toEqual([true, true]);
  groups.leave(18, `::ffff:${one}`);
  expect([one, two].map(joined)).toEqual([false, true]);
  groups.leave(18);
  expect([one, two].map(joined)).toEqual([false, false]);
});

it('joins nothing for GIDs that are no IPv4 addresses', () => {
  const groups = new Groups();
  groups.join(17, 'ff0e::1', OWN);
  groups.join(17, '::ffff:239.77.1.4', 'fe80::1');
  expect(joined('239.77.1.4')).toBe(false);
  groups.leave(17);
});
