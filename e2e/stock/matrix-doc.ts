/** The matrix in docs/device.md: an item per program, with the switches that the test runs. */
import { cmMatrix, matrix } from './matrix.js';
import { MPI_RANKS, mpiMatrix, stackMatrix } from './stacks.js';

export const BEGIN =
  '<!-- made by e2e/stock/matrix-doc.ts: UPDATE_DOCS=1 npx vitest run e2e/stock/matrix-doc.test.ts -->';
export const END = '<!-- end of the matrix -->';

const settings = (env: Record<string, string> = {}): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value} `)
    .join('');

export function matrixText(): string {
  const lines = new Map<string, string[]>();
  const add = (program: string, switches: string) => {
    const known = lines.get(program) ?? [];
    known.push(switches === '' ? 'without switches' : `\`${switches}\``);
    lines.set(program, known);
  };
  for (const { program, args } of matrix) add(program, args.join(' '));
  for (const { client } of cmMatrix) {
    const [program = '', ...switches] = client.replace(/ -p \{port\}/, '').split(' ');
    if (switches.at(-1) === '127.0.0.1') switches.pop();
    add(program, switches.join(' '));
  }
  for (const { client, env, addresses } of stackMatrix) {
    const [program = '', ...switches] = client.replace(/ (-p |-P |--port=)\{port\}/, '').split(' ');
    if (switches.at(-1) === '127.0.0.1') switches.pop();
    const ends = addresses ? `--addr ${addresses[1]}: ` : '';
    add(program, ends + settings(env) + switches.join(' '));
  }
  for (const { launcher, args, env } of mpiMatrix)
    add(launcher, `${settings(env)}-n ${String(MPI_RANKS)} ${args}`.trimEnd());
  return [...lines].map(([program, switches]) => `- **${program}**: ${switches.join('; ')}`).join('\n');
}

/** Returns `text` with new content between the marks. Throws if the marks are missing. */
export function withMatrix(text: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new RangeError('docs/device.md has no marks for the matrix');
  return `${text.slice(0, begin + BEGIN.length)}\n\n${matrixText()}\n\n${text.slice(end)}`;
}
