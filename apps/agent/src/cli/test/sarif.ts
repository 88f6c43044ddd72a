// Findings as SARIF 2.1.0, which GitHub code scanning and editors read.
import { relative } from 'node:path';
import type { Log, Result } from 'sarif';
import { VERSION } from '../../config/version.js';
import { LEVELED, levelOf } from './levels.js';
import { processName, type JudgedFinding } from './judge.js';
import type { TestResult } from './result.js';

/** A path as CI shows it: relative to the working directory if it is below. */
export function shownPath(file: string): string {
  const short = relative(process.cwd(), file);
  return short.startsWith('..') || short === '' ? file : short;
}

function resultOf(finding: JudgedFinding): Result {
  const { id, level, known, object, call, detail, cure, count, place } = finding;
  return {
    ruleId: id,
    ruleIndex: LEVELED.indexOf(id),
    level,
    message: { text: `${call} on ${object} in ${processName(finding)}: ${detail}. ${cure}` },
    occurrenceCount: count,
    ...(known ? { baselineState: 'unchanged' as const } : {}),
    ...(place?.file == null
      ? {}
      : {
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(shownPath(place.file)) },
                region: { startLine: place.line! },
              },
              ...(place.function === null
                ? {}
                : { logicalLocations: [{ name: place.function, kind: 'function' }] }),
            },
          ],
        }),
  };
}

export function sarifOf({ runs }: TestResult): Log {
  return {
    version: '2.1.0',
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    runs: [
      {
        tool: {
          driver: {
            name: 'verbslab',
            version: VERSION,
            rules: LEVELED.map((id) => ({ id, defaultConfiguration: { level: levelOf(id) } })),
          },
        },
        results: runs.flatMap(({ findings }) => findings.map(resultOf)),
      },
    ],
  };
}
