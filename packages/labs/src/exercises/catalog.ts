/** Exercises: every calculation that people who work with RDMA do by hand, with other numbers each time. */
import { ADDRESSES } from './addresses.js';
import { COLLECTIVES } from './collectives.js';
import { COST } from './cost.js';
import { drawExercise, type ExerciseSpec } from './exercise.js';
import { MEMORY } from './memory.js';
import { QUESTIONS } from './questions.js';
import { QUEUES } from './queues.js';
import { REQUESTS } from './requests.js';
import { WIRE } from './wire.js';
import type { SheetGroup, Worksheet, WorksheetItem } from './worksheet.js';

export interface ExerciseGroup {
  id: string;
  title: string;
  exercises: readonly ExerciseSpec[];
}

export const EXERCISE_GROUPS: readonly ExerciseGroup[] = [
  { id: 'memory', title: 'Memory and translations', exercises: MEMORY },
  { id: 'queues', title: 'Queues and completions', exercises: QUEUES },
  { id: 'requests', title: 'Work requests', exercises: REQUESTS },
  { id: 'wire', title: 'Packets, timers and loss', exercises: WIRE },
  { id: 'cost', title: 'Latency and cost', exercises: COST },
  { id: 'addresses', title: 'Addresses', exercises: ADDRESSES },
  { id: 'collectives', title: 'Many hosts', exercises: COLLECTIVES },
  { id: 'questions', title: 'Why, what, where, who, when', exercises: QUESTIONS },
];

export const EXERCISES: readonly ExerciseSpec[] = EXERCISE_GROUPS.flatMap(({ exercises }) => exercises);

export const findExercise = (id: string): ExerciseSpec | undefined => EXERCISES.find((one) => one.id === id);

/** A group of a worksheet: its items, and each as an exercise at the same place. */
interface DrawnGroup extends SheetGroup {
  id: string;
  items: readonly WorksheetItem[];
}

/** Groups of a worksheet, in the order of the catalog’s groups. */
export const groupsOf = (sheet: Worksheet): DrawnGroup[] =>
  EXERCISE_GROUPS.flatMap(({ id, title, exercises: specs }): DrawnGroup[] => {
    const found = sheet.items.flatMap((item) => {
      const spec = specs.find((one) => one.id === item.id);
      return spec ? [{ item, exercise: drawExercise(spec, item.seed) }] : [];
    });
    if (found.length === 0) return [];
    return [{ id, title, items: found.map(({ item }) => item), exercises: found.map((one) => one.exercise) }];
  });

export { answerText, hint, judge, type Verdict } from './answers.js';
export {
  drawExercise,
  withNumbers,
  type Exercise,
  type ExerciseSpec,
  type Field,
  type Measure,
} from './exercise.js';
export {
  MOST_SEED,
  newWorksheet,
  readWorksheet,
  rightCount,
  WORKSHEET_VERSION,
  worksheetMarkdown,
  type Worksheet,
  type SheetGroup,
  type WorksheetItem,
} from './worksheet.js';
