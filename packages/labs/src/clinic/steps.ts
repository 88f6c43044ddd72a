import { STEP_QUESTIONS } from './step-questions.js';

/** Keeps the ids as types. */
export const CLINIC_STEPS = [
  {
    id: 'symptoms',
    question: STEP_QUESTIONS.symptoms,
    title: 'Look at the symptoms',
    text: 'A program with a mistake runs. Look at what it leaves behind: the status of its request, refused calls, asynchronous events, NAKs and counters. Name the mistake before you go on.',
  },
  {
    id: 'reveal',
    question: STEP_QUESTIONS.reveal,
    title: 'See the diagnosis',
    text: 'The lab names the mistake, says how it was caused and why it shows itself in this way. A random failure stays unnamed unless “Reveal the diagnosis” is on.',
  },
  {
    id: 'fix',
    question: STEP_QUESTIONS.fix,
    title: 'Run the fixed program',
    text: 'The same program runs again on a new connection, without the mistake.',
  },
] as const;
