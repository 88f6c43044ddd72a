import { WORKBENCH_FILE, type Check, type ErrorInfo, type WorkbenchLanguage } from '@verbslab/protocol';
import type { Told } from './editor/told';

/** Pattern of compiler messages: `main.c:3:7: error: …` in C, `main.ts(3,7): error TS2304: …` in TypeScript. */
function compilerLine(language: WorkbenchLanguage): RegExp {
  const file = WORKBENCH_FILE[language].replace('.', '\\.');
  return new RegExp(
    String.raw`^(?:\S*/)?${file}[:(](\d+)(?:[:,]\d+)?\)?:?\s*(?:fatal )?(?:error(?: TS\d+)?|warning)?:?\s*(.+)$`,
    'gm',
  );
}

/** Lines that a run's error names: those of compiler messages, or the line at which the program was stopped. */
export function errorLines(error: ErrorInfo | null, language: WorkbenchLanguage): Told[] {
  if (!error) return [];
  const messages = [...(error.detail ?? '').matchAll(compilerLine(language))].map(([, line, text]) => ({
    line: Number(line),
    text: text!,
  }));
  if (messages.length > 0) return messages;
  const [, line] = /\b[Ll]ine (\d+)\b/.exec(error.message) ?? [];
  return line === undefined ? [] : [{ line: Number(line), text: error.message }];
}

/** Line that threw an uncaught error, from Node's output. */
export function thrownLine(output: string, language: WorkbenchLanguage): Told[] {
  const said = /^(?:Uncaught )?(\w*Error\b.*)$/m.exec(output);
  if (!said) return [];
  const place = new RegExp(String.raw`^\s+at .*\b${WORKBENCH_FILE[language].replace('.', '\\.')}:(\d+)`, 'm');
  const line = place.exec(output.slice(said.index))?.[1];
  return line === undefined ? [] : [{ line: Number(line), text: said[1]! }];
}

/** Lines of failed points. Places in other files are not in the program. */
export function pointLines(checks: readonly Check[], language: WorkbenchLanguage): Told[] {
  return checks.flatMap(({ ok, detail, at }) =>
    !ok && at && isProgram(at.file, language) ? [{ line: at.line, text: detail }] : [],
  );
}

export const isProgram = (file: string, language: WorkbenchLanguage): boolean =>
  file === WORKBENCH_FILE[language] || file.endsWith(`/${WORKBENCH_FILE[language]}`);
