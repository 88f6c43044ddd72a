import { readFileSync } from 'node:fs';
import {
  drawExercise,
  EXERCISE_GROUPS,
  EXERCISES,
  findExercise,
  groupsOf,
  judge,
  MOST_SEED,
  newWorksheet,
  readWorksheet,
  rightCount,
  worksheetMarkdown,
  type ExerciseSpec,
} from '@verbslab/labs/exercises';
import { AppError } from '@verbslab/protocol';
import { Command, InvalidArgumentError } from 'commander';
import { bad, bold, good, muted, print, printJson, table } from './terminal.js';

interface Options {
  all?: boolean;
  seed: number;
  solved?: boolean;
  check?: string;
  json?: boolean;
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed > MOST_SEED)
    throw new InvalidArgumentError(`Give a whole number from 0 to ${MOST_SEED}.`);
  return seed;
}

function known(id: string): ExerciseSpec {
  const found = findExercise(id);
  if (!found) throw new AppError('UNKNOWN_EXERCISE', { exercise: id });
  return found;
}

const listText = (): string =>
  EXERCISE_GROUPS.map(
    ({ title, exercises }) =>
      `${bold(title)}\n${table(exercises.map((one) => [`  ${one.id}`, one.title, muted(one.measure?.lab ?? '')]))}`,
  ).join('\n\n');

function sheet(chosen: readonly ExerciseSpec[], { seed, solved = false, json }: Options): void {
  const made = newWorksheet(chosen, seed);
  if (!json)
    return print(worksheetMarkdown(`RDMA exercises, sheet ${seed}`, groupsOf(made), solved).trimEnd());
  const exercises = chosen.map((one) => {
    const { fields, worked, ...shown } = drawExercise(one, seed);
    if (solved) return { ...shown, fields, worked };
    return { ...shown, fields: fields.map(({ answer: _, ...asked }) => asked) };
  });
  printJson({ ...made, exercises });
}

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const { message } = error as NodeJS.ErrnoException;
    throw new AppError('BAD_WORKSHEET', { detail: `${message}.` }, { cause: error });
  }
}

/** Reports which answers of a worksheet are right. Returns true if all are. */
function check(file: string, json: boolean): boolean {
  const read = readWorksheet(textOf(file), EXERCISES);
  if ('why' in read) throw new AppError('BAD_WORKSHEET', { detail: read.why });
  const answers = read.sheet.items.flatMap(({ id, seed, given }) =>
    drawExercise(known(id), seed).fields.map((field) => {
      const typed = given[field.id] ?? '';
      return {
        exercise: id,
        field: field.id,
        label: field.label,
        given: typed,
        verdict: judge(field, typed),
      };
    }),
  );
  const { right, of } = rightCount(read.sheet, findExercise);
  if (json) printJson({ right, of, answers, unknown: read.unknown });
  else {
    const words = { right: good('right'), wrong: bad('wrong'), unread: muted('open') };
    print(table(answers.map((one) => [one.exercise, one.label, words[one.verdict], one.given])));
    if (read.unknown.length > 0) print(`Not known here: ${read.unknown.join(', ')}.`);
    print(`${right} of ${of} exercises right.`);
  }
  return right === of;
}

export function exercisesCommand(): Command {
  return new Command('exercises')
    .description('calculations with new numbers for each seed, as sheets to fill in')
    .argument('[exercise...]', 'the exercises of the sheet')
    .option('--all', 'a sheet of all exercises')
    .option('--seed <n>', 'draws the numbers: the same seed gives the same sheet', seedOf, 1)
    .option('--solved', 'print the answers, and how to get each')
    .option('--check <file>', 'say which answers of a saved worksheet are right; - reads it from stdin')
    .option('--json', 'print one JSON object; a sheet can be opened on the page Exercises')
    .addHelpText(
      'after',
      `
Without arguments it lists the exercises, with the lab where the answer can be measured. A sheet is Markdown.
With --check it exits with 1 unless every answer is right.

Examples:
  verbslab exercises
  verbslab exercises translation-table psn-wrap --seed 7
  verbslab exercises --all --seed 7 --solved > solved.md
  verbslab exercises --all --json > sheet.json
  verbslab exercises --check sheet.json`,
    )
    .action((ids: string[], options: Options) => {
      if (options.check !== undefined) {
        if (!check(options.check, options.json ?? false)) process.exitCode = 1;
        return;
      }
      const chosen = options.all ? EXERCISES : EXERCISES.filter((one) => ids.map(known).includes(one));
      if (chosen.length > 0) return sheet(chosen, options);
      if (!options.json) return print(listText());
      printJson({
        groups: EXERCISE_GROUPS.map(({ id, title, exercises }) => ({
          id,
          title,
          exercises: exercises.map((one) => ({
            id: one.id,
            title: one.title,
            measure: one.measure?.lab ?? null,
          })),
        })),
      });
    });
}
