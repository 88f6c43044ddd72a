import { COMMUNICATION_LIBRARY } from './communication-library.js';
import { DATA_CENTER } from './data-center.js';
import { FUNDAMENTALS } from './fundamentals.js';
import { QUESTIONS_FIRST } from './questions-first.js';
import { STUDY_NOTES } from './study-notes.js';
import type { Topic } from './topic.js';

/** Everything that the catalog is to show, A1 to E4. */
export const TOPICS: readonly Topic[] = [
  ...QUESTIONS_FIRST,
  ...STUDY_NOTES,
  ...FUNDAMENTALS,
  ...DATA_CENTER,
  ...COMMUNICATION_LIBRARY,
];
