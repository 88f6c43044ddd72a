import { REGION } from '../failures/bench.js';

export const MAX_MESSAGES = 16;
/** Room for one message. */
export const SLOT = REGION / MAX_MESSAGES;
/** Two patterns of so many bytes differ. */
export const SHORTEST = 16;
