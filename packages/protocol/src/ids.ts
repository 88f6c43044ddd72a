/** What an agent gives to its runs and sweeps, and writers to notes. Anything else was never one. */
export const ID_FORM = /^[0-9a-z]{10}$/;
