/** A task of the workbench, and the results of a run. */
import type { RunEvent, WorkbenchLanguage } from '@verbslab/protocol';

/** A point that the checker looks for. */
export interface TaskPoint {
  id: string;
  text: string;
}

export interface WorkbenchTask {
  id: string;
  title: string;
  /** Markdown: the program to build, and what it proves. */
  text: string;
  /** Markdown. They open one after another. */
  hints: readonly string[];
  /** Compiles and runs, but does not solve the task. */
  starter: Readonly<Record<WorkbenchLanguage, string>>;
  solution: Readonly<Record<WorkbenchLanguage, string>>;
  points: readonly TaskPoint[];
}

/** An item of a run's stream: an event, or a binary frame of completions or packets. */
export type Recorded = RunEvent | Uint8Array;

export interface PointResult extends TaskPoint {
  passed: boolean;
  /** Observation of the device instead. Absent if the point passed. */
  why?: string;
  /** Line of the program that it is about, where the run has it. */
  at?: SourceLine;
}

export interface SourceLine {
  file: string;
  line: number;
}
