const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

/** The ID of a note, which its writer chooses. */
export const newNoteId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => ALPHABET[byte % 36]).join('');
