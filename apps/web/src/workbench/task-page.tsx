'use client';
import { WORKBENCH_LANGUAGES, type WorkbenchLanguage } from '@verbslab/protocol';
import { useId, useMemo, useState, useSyncExternalStore } from 'react';
import { taskHref } from '../addresses';
import { useOwnCrumb } from '../frame/crumb-store';
import { Blocks } from '../parts/text/blocks';
import { useInitialQuery } from '../parts/forms/use-lab-form';
import { Skeleton } from '../ui/states';
import { TabList } from '../ui/tab-list';
import { Api } from './api';
import { Bench } from './bench';
import { Hints } from './hints';
import { LANGUAGE_TITLE } from './languages';
import { OwnEditor } from './own-editor';
import type { ShownTask } from './shown-task';
import { SwitchedOff } from './switched-off';
import { readTaskQuery } from './task-query';
import { useWorkbench } from './use-workbench';

const never = () => () => undefined;

/** Page of a task: its text beside the program, and the outcome of the program's last run. */
export function TaskPage({ task }: { task: ShownTask }) {
  const id = useId();
  const { kept: workbench, failure } = useWorkbench();
  const query = useInitialQuery();
  const asked = useMemo(() => readTaskQuery(query), [query]);
  const [chosen, setChosen] = useState<WorkbenchLanguage | null>(null);
  const language = chosen ?? asked.language;
  const here = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const at = WORKBENCH_LANGUAGES.indexOf(language);
  useOwnCrumb(task.title, task.title);

  return (
    <article>
      <h1 className="text-28 font-semibold">{task.title}</h1>
      <SwitchedOff workbench={workbench} failure={failure} />
      <div className="mt-4 grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(18rem,2fr)_minmax(0,3fr)]">
        <div className="min-w-0 space-y-6">
          <section aria-labelledby="task">
            <h2 id="task" className="mb-2 text-16 font-semibold">
              Task
            </h2>
            <Blocks list={task.text} />
          </section>
          <Hints list={task.hints} />
          {language === 'typescript' ? <Api /> : null}
          <section aria-label="Your own editor">
            <OwnEditor task={task.id} language={language} />
          </section>
        </div>
        <div className="min-w-0">
          <TabList
            id={id}
            label="Language"
            titles={WORKBENCH_LANGUAGES.map((one) => LANGUAGE_TITLE[one])}
            at={at}
            onChange={(to) => {
              const next = WORKBENCH_LANGUAGES[to]!;
              setChosen(next);
              history.replaceState(null, '', taskHref(task.id, next));
            }}
          />
          <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}tab${at}`}>
            {/* The browser's storage is only known here: the HTML would have another program. */}
            {here ? (
              <Bench
                key={language}
                task={task}
                language={language}
                workbench={workbench}
                run={chosen === null ? asked.run : null}
              />
            ) : (
              <Skeleton className="h-[clamp(22rem,62vh,46rem)]" />
            )}
          </div>
        </div>
      </div>
    </article>
  );
}
