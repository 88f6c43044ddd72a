/** What a task of the workbench is. */
import type { RunEvent, WorkbenchLanguage } from '@verbslab/protocol';

/** One thing that the checker looks for. */
export interface TaskPoint {
  id: string;
  text: string;
}

export interface WorkbenchTask {
  id: string;
  title: string;
  /** Markdown: what to build, and what it proves. */
  text: string;
  /** Markdown. They open one after another. */
  hints: readonly string[];
  /** Compiles and runs, but does not solve the task. */
  starter: Readonly<Record<WorkbenchLanguage, string>>;
  solution: Readonly<Record<WorkbenchLanguage, string>>;
  points: readonly TaskPoint[];
}

/** One item of a run's stream: an event, or a binary frame of completions or packets. */
export type Recorded = RunEvent | Uint8Array;

export interface PointResult extends TaskPoint {
  passed: boolean;
  /** What the device saw instead. Absent if it passed. */
  why?: string;
  /** Line of the program that it is about, where the run has it. */
  at?: SourceLine;
}

export interface SourceLine {
  file: string;
  line: number;
}
