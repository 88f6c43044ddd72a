import {
  taskCheck,
  WORKBENCH_LAB,
  WORKBENCH_LANGUAGES,
  type LabProgress,
  type WorkbenchLanguage,
} from '@verbslab/protocol';

/** Languages in which all points of a task have passed. */
export function passedIn(progress: readonly LabProgress[] | null, task: string): WorkbenchLanguage[] {
  const checks = progress?.find(({ lab }) => lab === WORKBENCH_LAB)?.checks ?? [];
  return WORKBENCH_LANGUAGES.filter((language) =>
    checks.some(({ id, right }) => right && id === taskCheck(task, language)),
  );
}
