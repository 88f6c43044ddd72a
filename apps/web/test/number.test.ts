import { describe, expect, it } from 'vitest';
import { bytes, count, secondsText, sig3, text, time, inGbps, goodput } from '../src/format/number';

describe('three significant digits', () => {
  it.each([
    [0, '0'],
    [0.001234, '0.00123'],
    [0.9996, '1.00'],
    [1.2345, '1.23'],
    [9.996, '10.0'],
    [12.34, '12.3'],
    [99.96, '100'],
    [123.4, '123'],
    [999.6, '1,000'],
    [12345, '12,300'],
    [-4.5678, '-4.57'],
  ])('%d is %s', (n, shown) => expect(sig3(n)).toBe(shown));

  it('shows a dash for what is not known', () => {
    expect(sig3(null)).toBe('–');
    expect(sig3(NaN)).toBe('–');
  });
});

describe('quantities', () => {
  it('keeps one to three digits before the point', () => {
    expect(text(time(950))).toBe('950\u00a0ns');
    expect(text(time(999.9))).toBe('1.00\u00a0µs');
    expect(text(time(67_108_864))).toBe('67.1\u00a0ms');
  });
  it('says binary sizes exactly when they are whole', () => {
    expect(text(bytes(65536))).toBe('64\u00a0KiB');
    expect(text(bytes(3000))).toBe('2.93\u00a0KiB');
    expect(text(bytes(1))).toBe('1\u00a0B');
  });
  it('never rounds counts', () => expect(count(1234567)).toBe('1,234,567'));
  it('writes seconds for people', () => {
    expect(secondsText(4.24)).toBe('4.2\u00a0s');
    expect(secondsText(65)).toBe('1\u00a0min 05\u00a0s');
  });
});

describe('a figure of a column of Gb/s', () => {
  it('has a smaller unit where it would be zeros', () => {
    expect(inGbps(0.00000153)).toBe('1.53\u00a0kb/s');
    expect(inGbps(0.000000422)).toBe('422\u00a0b/s');
    expect(inGbps(0.000999)).toBe('999\u00a0kb/s');
  });

  it('is as small in a sentence', () => {
    expect(text(goodput(0.000011))).toBe('11.0\u00a0kb/s');
    expect(text(goodput(12.34))).toBe('12.3\u00a0Gb/s');
    expect(text(goodput(0))).toBe('0\u00a0Gb/s');
  });

  it('has none where it says something, and none for what is missing', () => {
    expect(inGbps(12.34)).toBe('12.3');
    expect(inGbps(0.001)).not.toMatch(/b\/s/);
    expect(inGbps(0)).toBe('0');
    expect(inGbps(null)).toBe('–');
    expect(inGbps(NaN)).toBe('–');
  });
});
