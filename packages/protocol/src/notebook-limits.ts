// Without schemas: pages check what is typed before they send it.

/** Characters of one note. */
export const MAX_NOTE_TEXT = 20_000;
/** Notes of one run. */
export const MAX_NOTES = 200;
/** Tags of one run, and of one note. */
export const MAX_TAGS = 20;
/** Characters of a tag. */
export const MAX_TAG = 40;

const TAG = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._:/-]*$/u;

/** A tag as it is kept: lower case, with dashes for spaces; null for text that cannot be one. */
export function tagOf(text: string): string | null {
  const tag = text.normalize('NFC').trim().replace(/^#/, '').toLowerCase().replace(/\s+/g, '-');
  return TAG.test(tag) && tag.length <= MAX_TAG ? tag : null;
}

/** What a tag may be, for whoever typed another. */
export const TAG_RULE = `a tag has at most ${MAX_TAG} letters, digits and . _ : / -, and begins with a letter or digit`;
