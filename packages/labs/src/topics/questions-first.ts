/** A: one question per lab, from the first WRITE to a slow network. */
import { AI_PATTERNS } from './ai-patterns.js';
import { DIAGNOSIS } from './diagnosis.js';
import { FIRST_MESSAGES } from './first-messages.js';
import { MACHINES_AND_PAGES } from './machines-and-pages.js';
import { RESOURCES_AND_LOSS } from './resources-and-loss.js';
import type { Topic } from './topic.js';

export const QUESTIONS_FIRST: readonly Topic[] = [
  ...FIRST_MESSAGES,
  ...AI_PATTERNS,
  ...RESOURCES_AND_LOSS,
  ...DIAGNOSIS,
  ...MACHINES_AND_PAGES,
];
