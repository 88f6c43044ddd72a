/** True if two states are equal. A state of the next frame is another object, and most of its parts are what they were. */
export const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
