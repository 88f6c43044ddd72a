import { findTask, TASKS } from '@verbslab/labs/workbench';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { shownTask } from '../../../workbench/shown-task';
import { TaskPage } from '../../../workbench/task-page';

interface Props {
  params: Promise<{ task: string }>;
}

export const dynamicParams = false;

export function generateStaticParams(): { task: string }[] {
  return TASKS.map(({ id }) => ({ task: id }));
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: findTask((await params).task)?.title ?? 'Task' };
}

export default async function Page({ params }: Props) {
  const task = findTask((await params).task);
  if (!task) notFound();
  return <TaskPage task={shownTask(task)} />;
}
