// What a command must show to pass, as words of the command line.
import { AppError } from '@verbslab/protocol';
import { LEVELS, type Level } from './levels.js';

export const REQUIREMENTS = {
  opened: 'a process opened the device (a test that skips itself fails)',
  traffic: 'a process got a completion with success',
  'no-leak': 'every object was destroyed',
  'no-error-cqe': 'no request completed with an error, but for flushed ones',
  'no-misuse': 'no misuse of verbs; with =warning or =note, no slight one either',
} as const;
export type RequirementName = keyof typeof REQUIREMENTS;

export interface Requirements {
  names: ReadonlySet<RequirementName>;
  /** Level from which on findings fail `no-misuse`. */
  level: Level;
}

export const DEFAULT_REQUIREMENTS = 'opened,no-misuse=error';

const wrong = (detail: string, hint: string): AppError => new AppError('USAGE', { detail, hint });
const isName = (word: string): word is RequirementName => Object.hasOwn(REQUIREMENTS, word);
const isLevel = (word: string | undefined): word is Level => LEVELS.some((level) => level === word);

/** Reads `opened,no-misuse=warning`. Throws AppError USAGE for unknown words, and for words that contradict each other. */
export function parseRequirements(text: string): Requirements {
  const words = text.split(',').map((word) => word.trim());
  if (words.includes('none')) {
    if (words.length > 1)
      throw wrong(
        `“${text}” contradicts itself: “none” stands beside others`,
        'Leave “none” out, or the others.',
      );
    return { names: new Set(), level: 'error' };
  }
  const names = new Set<RequirementName>();
  const levels = new Set<Level>();
  for (const word of words) {
    const [name = '', level] = word.split('=');
    if (!isName(name))
      throw wrong(
        `“${word}” is no requirement`,
        `Use some of ${Object.keys(REQUIREMENTS).join(', ')}, with commas between them, or none.`,
      );
    names.add(name);
    const of = name === 'no-misuse' ? (level ?? 'error') : undefined;
    if (isLevel(of)) levels.add(of);
    else if (level !== undefined)
      throw wrong(`“${word}” is no requirement`, `Only no-misuse has a level: ${LEVELS.join(', ')}.`);
  }
  if (levels.size > 1)
    throw wrong(`“${text}” contradicts itself: no-misuse has two levels`, 'Give it one level.');
  return { names, level: [...levels][0] ?? 'error' };
}
