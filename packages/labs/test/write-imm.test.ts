import { expect, it } from 'vitest';
import { hex32, wireBytes, withoutNtohl } from '../src/write-imm/order.js';

it('puts the immediate on the wire in network order', () => {
  expect(wireBytes(0x12345678)).toBe('12 34 56 78');
  expect(hex32(withoutNtohl(0x12345678))).toBe('0x78563412');
  expect(withoutNtohl(1)).toBe(16_777_216);
  expect(withoutNtohl(0xffff_ffff)).toBe(0xffff_ffff);
});
