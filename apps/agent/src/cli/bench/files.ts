/** The files of a report, in a folder of the user. */
import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@verbslab/protocol';
import { csvText, jsonOf, markdownText } from './render.js';
import type { CompareReport } from './report.js';

const FILES: Readonly<Record<string, (report: CompareReport) => string>> = {
  'report.md': markdownText,
  'report.csv': csvText,
  'report.json': (report) => `${JSON.stringify(jsonOf(report), null, 2)}\n`,
};

function refuse(folder: string, error: unknown): never {
  throw new AppError('USAGE', {
    detail: `No report can be written to ${folder}: ${(error as Error).message}`,
    hint: 'Give --out a directory that you can write to, or a new one in a directory that exists.',
  });
}

/** Makes the folder before anything is measured. Throws AppError if that fails, or the folder holds another report. */
export function prepareFolder(folder: string): void {
  const there = Object.keys(FILES).find((name) => existsSync(join(folder, name)));
  if (there !== undefined)
    throw new AppError('USAGE', {
      detail: `${join(folder, there)} exists already`,
      hint: 'Give --out another directory, or move the old report away.',
    });
  try {
    // A recursive mkdir is avoided: in some folders, such as /proc, Node would then try forever.
    if (!existsSync(folder)) mkdirSync(folder);
    else if (!statSync(folder).isDirectory()) throw new Error('it is not a directory');
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    refuse(folder, error);
  }
}

/** Paths of the written files. */
export function writeReport(folder: string, report: CompareReport): string[] {
  return Object.entries(FILES).map(([name, text]) => {
    const path = join(folder, name);
    try {
      // A file that was created meanwhile is never overwritten.
      writeFileSync(path, text(report), { flag: 'wx' });
    } catch (error) {
      refuse(folder, error);
    }
    return path;
  });
}
