import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { directory, file, link, type CpioEntry } from './cpio.js';

/**
 * Files of a machine's /etc. The folder is generated, not shared: the host's has passwords and keys. Only these few
 * files of the host are copied, without which its libraries and programs are not found.
 */
const COPIED = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'alternatives',
  'libibverbs.d',
  'protocols',
  'services',
];

function copyOf(path: string, to: string): CpioEntry[] {
  if (!existsSync(path) && !isLink(path)) return [];
  if (isLink(path)) return [link(to, readlinkSync(path))];
  if (!lstatSync(path).isDirectory()) return [file(to, readFileSync(path))];
  return [directory(to), ...readdirSync(path).flatMap((name) => copyOf(join(path, name), `${to}/${name}`))];
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Entries below `root/etc` of the initramfs. `hosts`: name → address. */
export function etcEntries(hosts: ReadonlyMap<string, string>): CpioEntry[] {
  const written = {
    passwd: 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n',
    group: 'root:x:0:\ntty:x:5:\nnogroup:x:65534:\n',
    hosts: `127.0.0.1 localhost\n::1 localhost\n${[...hosts].map(([name, address]) => `${address} ${name}\n`).join('')}`,
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\nservices: files\n',
    profile: 'export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nPS1="\\h:\\w# "\n',
  };
  return [
    ...Object.entries(written).map(([name, text]) => file(`root/etc/${name}`, text)),
    ...COPIED.flatMap((name) => copyOf(join('/etc', name), `root/etc/${name}`)),
  ];
}
