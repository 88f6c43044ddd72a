/**
 * Control characters that a terminal may act on: C0 but tab and line feed, DEL, C1, the marks and overrides of the
 * direction of text, and the separators of lines and paragraphs.
 */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Makes text safe for a terminal: control characters are escaped, e.g. as \u001b. JSON stays the same JSON. */
export const printable = (text: string): string => text.replace(CONTROLS, escaped);

/** Makes text safe for a terminal and puts it on a single line. */
export const printableLine = (text: string): string => printable(text.replace(/[\t\n\r]+/g, ' '));
