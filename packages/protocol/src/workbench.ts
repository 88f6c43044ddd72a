// Without schemas: pages ask for it.
import type { RunRecord } from './runs.js';

export const WORKBENCH_LANGUAGES = ['typescript', 'c'] as const;
export type WorkbenchLanguage = (typeof WORKBENCH_LANGUAGES)[number];

/** The longest source that the workbench takes, UTF-8. */
export const MAX_SOURCE_BYTES = 64 * 1024;

/** What the source is called in a program’s folder, in its compiler’s messages and in the places of its calls. */
export const WORKBENCH_FILE: Readonly<Record<WorkbenchLanguage, string>> = {
  typescript: 'main.ts',
  c: 'main.c',
};

/**
 * The task that a run is of, and the language of its program; null for all other runs. The source is the text of the run’s
 * `file` event.
 */
export function workbenchOf({
  parameters,
}: Pick<RunRecord, 'parameters'>): { task: string; language: WorkbenchLanguage } | null {
  const { workbench } = parameters;
  if (typeof workbench !== 'object' || workbench === null || Array.isArray(workbench)) return null;
  const { task, language } = workbench;
  if (typeof task !== 'string' || (language !== 'typescript' && language !== 'c')) return null;
  return { task, language };
}
