/** Twelve bytes of private data: commands carry them in base64, and zeros may follow what arrives. */
import { base64, bytesOfBase64 } from '@verbslab/protocol';

const BYTES = 12;

export const base64OfHex = (hex: string): string =>
  base64(Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16)));

/** The first twelve bytes; shorter if fewer came. */
export const hexOfBase64 = (text: string): string =>
  Array.from(bytesOfBase64(text).subarray(0, BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** {addr u64, rkey u32}, big-endian. */
export const remoteOfHex = (hex: string): { addr: string; rkey: number } => ({
  addr: `0x${BigInt(`0x${hex.slice(0, 16) || '0'}`).toString(16)}`,
  rkey: parseInt(hex.slice(16, 24) || '0', 16),
});

/** Text of up to twelve characters, filled up with spaces. */
export const hexOfText = (text: string): string =>
  Array.from(text.padEnd(BYTES), (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');

export const textOfHex = (hex: string): string =>
  hex.replace(/../g, (byte) => String.fromCharCode(parseInt(byte, 16))).trimEnd();
