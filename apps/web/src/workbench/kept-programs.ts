/** Programs that are being written, in this browser, by task and language. They outlive a reload and a stopped agent. */
import type { WorkbenchLanguage } from '@verbslab/protocol';

const keyOf = (task: string, language: WorkbenchLanguage): string => `verbslab.workbench.${task}.${language}`;

/** Null where none is kept, or the browser lets pages keep nothing. */
export function keptProgram(task: string, language: WorkbenchLanguage): string | null {
  try {
    return localStorage.getItem(keyOf(task, language));
  } catch {
    return null;
  }
}

/** False where the browser has no room, or lets pages keep nothing. */
export function keepProgram(task: string, language: WorkbenchLanguage, source: string): boolean {
  try {
    localStorage.setItem(keyOf(task, language), source);
    return true;
  } catch {
    return false;
  }
}

export function dropProgram(task: string, language: WorkbenchLanguage): void {
  try {
    localStorage.removeItem(keyOf(task, language));
  } catch {
    // Then none is kept.
  }
}
