// A result as JUnit XML, as CI systems read it: a suite for each run, a case for each process and requirement.
import { XMLBuilder } from 'fast-xml-parser';
import { findingLine } from './judge.js';
import type { TestResult } from './result.js';

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true });

/** XML 1.0 has no other control characters, not even escaped. */
const clean = (text: string): string =>
  text.replaceAll(/(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd');

export function junitOf({ command, runs }: TestResult): string {
  const name = command.join(' ');
  const suites = runs.map(({ cases, seconds, beganAt, output }, index) => ({
    '@name': runs.length > 1 ? `${name}, run ${index + 1}` : name,
    '@tests': cases.length,
    '@failures': cases.filter(({ passed }) => !passed).length,
    '@errors': 0,
    '@skipped': 0,
    '@time': seconds.toFixed(3),
    // Some schemas take no fraction and no zone.
    '@timestamp': beganAt.slice(0, 19),
    testcase: cases.map(({ of, asks, passed, why, findings }) => ({
      '@name': asks,
      '@classname': of,
      '@time': '0',
      ...(passed
        ? {}
        : {
            failure: {
              '@message': clean(why!),
              '@type': asks,
              '#text': clean(findings.map((one) => `${findingLine(one)}\n  ${one.cure}`).join('\n')),
            },
          }),
    })),
    'system-out': clean(output),
  }));
  const sum = (key: '@tests' | '@failures') => suites.reduce((total, suite) => total + suite[key], 0);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({
    testsuites: {
      ...{ '@name': 'verbslab test', '@tests': sum('@tests'), '@failures': sum('@failures') },
      testsuite: suites,
    },
  })}`;
}
