import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

/** The ID of a run, a sweep or a note. */
export const newId = (): string => Array.from({ length: 10 }, () => ALPHABET[randomInt(36)]).join('');
