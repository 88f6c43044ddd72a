const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Encodes base64 without Buffer, which browsers lack, and without btoa, which takes text. */
export function base64(bytes: Uint8Array): string {
  const digit = (word: number, shift: number): string => DIGITS[(word >>> shift) & 63]!;
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const word = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += digit(word, 18) + digit(word, 12);
    text += (left > 1 ? digit(word, 6) : '=') + (left > 2 ? digit(word, 0) : '=');
  }
  return text;
}

/** Decodes text in the form of `base64`. */
export function bytesOfBase64(text: string): Uint8Array {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const digit = (at: number): number => Math.max(0, DIGITS.indexOf(text[at]!));
  for (let at = 0, from = 0; at < bytes.length; at += 3, from += 4) {
    const word = (digit(from) << 18) | (digit(from + 1) << 12) | (digit(from + 2) << 6) | digit(from + 3);
    for (let i = 0; i < 3 && at + i < bytes.length; i++) bytes[at + i] = (word >> (16 - 8 * i)) & 0xff;
  }
  return bytes;
}
