// No schemas here: pages check input before they send it.

/** Most characters of a note. */
export const MAX_NOTE_TEXT = 20_000;
/** Most notes of a run. */
export const MAX_NOTES = 200;
/** Most tags of a run, and of a note. */
export const MAX_TAGS = 20;
/** Most characters of a tag. */
export const MAX_TAG = 40;

const TAG = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._:/-]*$/u;

/** A tag in its stored form: lower case, with dashes for spaces; null for text that cannot be a tag. */
export function tagOf(text: string): string | null {
  const tag = text.normalize('NFC').trim().replace(/^#/, '').toLowerCase().replace(/\s+/g, '-');
  return TAG.test(tag) && tag.length <= MAX_TAG ? tag : null;
}

/** Rule for tags, shown after an invalid one. */
export const TAG_RULE = `a tag has at most ${MAX_TAG} letters, digits and . _ : / -, and begins with a letter or digit`;
