import type { WorkbenchLanguage } from '@verbslab/protocol';

/** Address of a task; with a run, that of its program and what was said of it. */
export function taskHref(task: string, language: WorkbenchLanguage = 'typescript', run?: string): string {
  const query = new URLSearchParams();
  if (language !== 'typescript') query.set('language', language);
  if (run !== undefined) query.set('run', run);
  const text = query.toString();
  return `/workbench/${task}${text === '' ? '' : `?${text}`}`;
}
