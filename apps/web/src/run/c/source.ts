/** C code to copy from the page of a run: a call, a step, or the whole program. */
import { indent, statements } from './calls';
import type { Objects, Verb } from './objects';

export interface StepCode {
  id: string;
  index: number;
  title: string;
  /** Code of the step besides its verbs calls. */
  c?: string | undefined;
  verbs: readonly Verb[];
}

const HEADERS: readonly [header: string, names: RegExp][] = [
  ['arpa/inet.h', /\b(inet_pton|htonl)\b/],
  ['stdio.h', /\b(printf|fprintf|perror)\b/],
  ['stdlib.h', /\b(calloc|free)\b/],
  ['string.h', /\b(str|mem)(cmp|cpy|set)\b/],
];

const includes = (code: string): string[] => [
  ...HEADERS.filter(([, names]) => names.test(code)).map(([header]) => `#include <${header}>`),
  '',
  '#include <infiniband/verbs.h>',
];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const whose = ({ endpoint, call }: Verb): string =>
  endpoint ? `/* ${capital(endpoint)}: ${call} */` : `/* ${call} */`;
const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** A call with its error check, with the values of the run. Null for a call without C code. */
export function callSource(verb: Verb, objects: Objects): string | null {
  const lines = statements(verb, objects, false);
  if (!lines) return null;
  const made = objects.allMade(verb);
  const declared = objects.declarations(made.join(' ')).map(({ text }) => text);
  return joined([...declared, ...(declared.length > 0 ? [''] : []), ...lines]);
}

function body({ verbs, c }: StepCode, objects: Objects, live: boolean): string[] {
  const calls = verbs.flatMap((verb) => {
    const lines = statements(verb, objects, live);
    return lines ? [whose(verb), ...lines, ''] : [`/* No C for this call: ${verb.call} */`, ''];
  });
  return [...calls, ...(c ? [...c.split('\n'), ''] : []), 'return 0;'];
}

const functionOf = (step: StepCode): string => `step_${step.id.replace(/\W/g, '_')}`;

/** A step as a file that compiles, with the values of the run. Objects of earlier steps are declared as external. */
export function stepSource(step: StepCode, objects: Objects, of: string): string {
  const lines = body(step, objects, false);
  const code = lines.join('\n');
  const made = new Set(step.verbs.flatMap((verb) => objects.allMade(verb)));
  return joined([
    `/* Step ${step.index + 1}: ${step.title}. Values are those of ${of}. */`,
    ...includes(code),
    '',
    ...objects.declarations(code).map(({ name, text }) => (made.has(name) ? text : `extern ${text}`)),
    '',
    `int ${functionOf(step)}(void)`,
    '{',
    ...indent(lines),
    '}',
  ]);
}

/** Command that compiles and runs the program, in the folder of the file. */
export const programCommand = (lab: string): string =>
  `cc -o ${lab} ${lab}.c -libverbs && npx verbslab exec -- ./${lab}`;

/**
 * All steps as a program: a single process plays every side, and takes keys, addresses and numbers from its own
 * objects.
 */
export function programSource(
  steps: readonly StepCode[],
  objects: Objects,
  about: { lab: string; title: string; of: string },
): string {
  const parts = steps.filter(({ verbs, c }) => verbs.length > 0 || c);
  const functions = parts.flatMap((step) => [
    '',
    `/* ${step.index + 1} ${step.title} */`,
    `static int ${functionOf(step)}(void)`,
    '{',
    ...indent(body(step, objects, true)),
    '}',
  ]);
  const code = functions.join('\n');
  const calls = parts.map((step) => `${functionOf(step)}()`).join(' ||\n\t       ');
  return joined([
    '/*',
    ` * ${about.title}: the verbs calls of ${about.of}, in order. One process plays both sides.`,
    ' * Values that a device gives out come from its objects. Beside them stands what they were in the run.',
    ' *',
    ` *   ${programCommand(about.lab)}`,
    ' */',
    ...includes(code),
    '',
    ...objects.declarations(code).map(({ text }) => `static ${text}`),
    ...functions,
    '',
    'int main(void)',
    '{',
    `\treturn ${calls};`,
    '}',
  ]);
}
