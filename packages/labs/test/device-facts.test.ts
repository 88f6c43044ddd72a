import { describe, expect, it } from 'vitest';
import { interfaceOf, linkLocalOf, originOf } from '../src/device-facts/gids.js';
import { pathMtuOf } from '../src/device-facts/mtu.js';

const eth0 = {
  name: 'eth0',
  mtu: 1500,
  mac: '70:66:55:b1:9a:8d',
  internal: false,
  addresses: ['192.0.2.1/24', 'fe80::7266:55ff:feb1:9a8d/64', 'fe80::1/64'],
};

describe('a GID', () => {
  it('is made from a MAC by EUI-64', () => {
    expect(linkLocalOf('70:66:55:b1:9a:8d')).toBe('fe80::7266:55ff:feb1:9a8d');
    expect(linkLocalOf('02:fc:00:00:00:01')).toBe('fe80::fc:ff:fe00:1');
  });

  it('belongs to the interface with its address', () => {
    expect(interfaceOf('192.0.2.1', [eth0])).toBe(eth0);
    expect(interfaceOf('192.0.2.9', [eth0])).toBeUndefined();
    expect(interfaceOf('127.0.0.9', [eth0])).toBeUndefined();
    expect(originOf('fe80::7266:55ff:feb1:9a8d', eth0)).toContain('derived from the MAC');
    expect(originOf('fe80::1', eth0)).not.toContain('MAC');
    expect(originOf('192.0.2.1', eth0)).toContain('IPv4');
  });
});

describe('a path MTU', () => {
  it.each([
    [0, 256],
    [1103, 512],
    [1104, 1024],
    [1500, 1024],
    [4176, 4096],
    [65_536, 4096],
  ])('of an interface with %i B is %i B', (mtu, path) => {
    expect(pathMtuOf(mtu)).toBe(path);
  });
});
