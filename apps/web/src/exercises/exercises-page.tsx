'use client';
import { EXERCISE_GROUPS, EXERCISES, groupsOf } from '@verbslab/labs/exercises';
import { EXERCISES_LAB } from '@verbslab/protocol';
import { useEffect, useState } from 'react';
import { useAgent } from '../connection/store';
import { Skeleton } from '../ui/states';
import { ExerciseItem } from './exercise-item';
import { SheetTools } from './sheet-tools';
import { seedOf, useSheet } from './sheet-store';

/** Exercises in their groups, with the numbers of the open sheet. */
export function ExercisesPage() {
  const { sheet, load } = useSheet();
  const solved = useAgent((s) => s.progress?.find(({ lab }) => lab === EXERCISES_LAB)?.checks);
  const [printSolved, setPrintSolved] = useState(false);
  useEffect(load, [load]);
  const right = new Set(solved?.flatMap(({ id, right: is }) => (is ? [id] : [])));
  const seed = sheet && seedOf(sheet);
  const groups = sheet === null ? [] : groupsOf(sheet);
  const order = groups.flatMap(({ exercises }) => exercises.map(({ id }) => id));
  return (
    <div className="max-w-[72rem]">
      <h1 className="text-28 font-semibold">
        Exercises
        {seed === null ? null : <span className="hidden print:inline">, sheet {seed}</span>}
      </h1>
      <p className="prose mt-2 mb-4 text-ink-2 print:hidden">
        Calculations that RDMA engineers do by hand, with new numbers each time. Type answers as you would
        write them: 2 MiB, 2097152 and 0x200000 are the same. Most answers can be measured in a lab.
      </p>
      {sheet === null ? (
        <div className="space-y-4" aria-busy>
          <Skeleton className="h-9 w-full max-w-[40rem]" />
          <Skeleton className="h-64 w-full" />
        </div>
      ) : (
        <>
          <SheetTools sheet={sheet} printSolved={printSolved} setPrintSolved={setPrintSolved} />
          <p className="num mb-3 text-13 text-ink-2 print:hidden" data-solved={right.size}>
            {right.size} of {EXERCISES.length} solved.
          </p>
          <nav aria-label="Groups of exercises" className="mb-8 print:hidden">
            <ul className="flex flex-wrap gap-x-5 gap-y-1">
              {EXERCISE_GROUPS.map(({ id, title }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className="inline-flex min-h-8 items-center text-accent underline underline-offset-4 pointer-coarse:min-h-11"
                  >
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="space-y-10">
            {groups.map(({ id, title, items, exercises }) => (
              <section key={id} aria-labelledby={id}>
                <h2 id={id} className="scroll-mt-16 text-16 font-semibold">
                  {title}
                </h2>
                <ol className="mt-2 divide-y border-y">
                  {exercises.map((exercise, i) => (
                    // The seed in the key resets the verdicts: other numbers make another exercise.
                    <ExerciseItem
                      key={`${exercise.id} ${items[i]!.seed}`}
                      exercise={exercise}
                      given={items[i]!.given}
                      number={order.indexOf(exercise.id) + 1}
                      solved={right.has(exercise.id)}
                      printSolved={printSolved}
                    />
                  ))}
                </ol>
              </section>
            ))}
          </div>
        </>
      )}
    </div>
  );
}
