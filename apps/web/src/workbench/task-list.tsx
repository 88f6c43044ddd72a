'use client';
import { Check } from 'lucide-react';
import { taskHref } from '../addresses';
import { useAgent } from '../connection/store';
import { PageLink } from '../ui/page-link';
import { Words } from '../ui/words';
import { LANGUAGE_TITLE } from './languages';
import { OwnEditor } from './own-editor';
import { passedIn } from './progress';
import { SwitchedOff } from './switched-off';
import { useWorkbench } from './use-workbench';

interface ListedTask {
  id: string;
  title: string;
  summary: string;
}

/** List of tasks, in the order in which they build on each other. */
export function TaskList({ tasks }: { tasks: readonly ListedTask[] }) {
  const { kept: workbench, failure } = useWorkbench();
  const progress = useAgent((s) => s.progress);
  const done = tasks.filter(({ id }) => passedIn(progress, id).length > 0);
  const next = tasks.find(({ id }) => !done.some((one) => one.id === id));
  return (
    <div className="max-w-[72rem]">
      <h1 className="text-28 font-semibold">Workbench</h1>
      <p className="prose mt-2 text-ink-2">
        Build your own RDMA program, task by task, in TypeScript or C. You write it on the page, the agent
        runs it on the embedded device, a RoCE device in software that is on every machine. A checker compares
        what the device saw with what the task asks for. It never reads your source.
      </p>
      <SwitchedOff workbench={workbench} failure={failure} />
      {/* The line keeps its space while the agent is asked. */}
      <p data-progress className="my-4 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 text-ink-2">
        {progress ? (
          <>
            <span className="num">
              {done.length} of {tasks.length} tasks passed.
            </span>
            {next ? (
              <span>
                Next:{' '}
                <PageLink
                  href={taskHref(next.id)}
                  className="inline-flex min-h-8 items-center text-accent underline underline-offset-4 pointer-coarse:min-h-11"
                >
                  {next.title}
                </PageLink>
              </span>
            ) : null}
          </>
        ) : null}
      </p>
      <ol className="divide-y border-y">
        {tasks.map((task, i) => {
          const passed = passedIn(progress, task.id);
          return (
            <li key={task.id} data-task={task.id}>
              <PageLink
                href={taskHref(task.id)}
                className="group grid gap-x-8 gap-y-1 py-3 md:grid-cols-[20rem_1fr]"
              >
                <span className="text-16 font-medium group-hover:text-accent">
                  <span className="num mr-2 text-13 font-normal text-ink-3">{i + 1}</span>
                  {task.title}
                  {passed.length === 0 ? null : (
                    <span
                      data-done
                      className="mt-0.5 flex items-baseline gap-1.5 text-13 font-normal text-ink-2"
                    >
                      <Check size={13} className="shrink-0 self-center text-ok-ink" aria-hidden />
                      Passed in {passed.map((one) => LANGUAGE_TITLE[one]).join(' and ')}.
                    </span>
                  )}
                </span>
                <span className="max-w-[72ch] text-ink-2">
                  <Words>{task.summary}</Words>
                </span>
              </PageLink>
            </li>
          );
        })}
      </ol>
      <div className="mt-6">
        <OwnEditor task={(next ?? tasks[0]!).id} language="c" />
      </div>
    </div>
  );
}
