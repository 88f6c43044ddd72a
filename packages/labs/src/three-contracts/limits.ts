import { REGION } from '../failures/bench.js';

export const MAX_MESSAGES = 16;
/** Room for one message. */
export const SLOT = REGION / MAX_MESSAGES;
/** Bytes from which on two patterns differ. */
export const SHORTEST = 16;
