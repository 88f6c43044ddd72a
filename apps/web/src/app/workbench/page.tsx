import { TASKS } from '@verbslab/labs/workbench';
import type { Metadata } from 'next';
import { TaskList } from '../../workbench/task-list';

export const metadata: Metadata = { title: 'Workbench' };

export default function Page() {
  return (
    <TaskList tasks={TASKS.map(({ id, title, text }) => ({ id, title, summary: firstSentence(text) }))} />
  );
}

const firstSentence = (text: string): string => /^[^]*?\.(?=\s|$)/.exec(text)![0].replaceAll('\n', ' ');
