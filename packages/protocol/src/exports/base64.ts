const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Without Buffer, which browsers lack, and btoa, which takes text. */
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
