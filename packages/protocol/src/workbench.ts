// No schemas here: pages use this file.
import type { RunRecord } from './runs.js';

export const WORKBENCH_LANGUAGES = ['typescript', 'c'] as const;
export type WorkbenchLanguage = (typeof WORKBENCH_LANGUAGES)[number];

/** Most bytes of a workbench source, UTF-8. */
export const MAX_SOURCE_BYTES = 64 * 1024;

/** Name of the source in a program’s folder, in its compiler’s messages and in the places of its calls. */
export const WORKBENCH_FILE: Readonly<Record<WorkbenchLanguage, string>> = {
  typescript: 'main.ts',
  c: 'main.c',
};

/**
 * Task of a run, and the language of its program; null for all other runs. The source is the text of the run’s `file`
 * event.
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
