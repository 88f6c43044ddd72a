import { describe, expect, it } from 'vitest';
import { isLetterKey } from '../src/frame/letter-keys';

const press = (key: string, more: { mod?: boolean; alt?: boolean } = {}) => ({
  ...{ key, mod: false, alt: false },
  ...more,
});

describe('keys that a reader may turn off', () => {
  it('are those that speech input types', () => {
    for (const key of ['r', 'G', '?', '/', '7', 'é']) expect(isLetterKey(press(key)), key).toBe(true);
  });

  it('are none that nobody types by speaking', () => {
    for (const key of [' ', 'Enter', 'Escape', 'ArrowDown', 'F1'])
      expect(isLetterKey(press(key)), key).toBe(false);
    expect(isLetterKey(press('k', { mod: true }))).toBe(false);
    expect(isLetterKey(press('r', { alt: true }))).toBe(false);
  });
});
