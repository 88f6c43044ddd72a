/** Where other programs on the machine decided what was measured, and not what the lab shows. */

/** How such a check begins what it says. */
export const TOO_BUSY = 'The machine was too busy to tell';

/** Why a check does not apply. @param measured the figures, as a sentence */
export const tooBusy = (measured: string): string => `${TOO_BUSY}: ${measured}`;
