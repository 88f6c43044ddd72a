import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import { realpathSync } from 'node:fs';
import { AppError, WORKBENCH_FILE } from '@verbslab/protocol';
import { z } from 'zod';
import { agentFolder, childProgram } from '../config/agent-folder.js';
import { compileFailed, runCompiler, type Compiled } from './compiled.js';
import { compilerLauncher } from './confinement.js';
import type { ProgramFolder } from './folder.js';

/** MiB of JavaScript objects; the program’s limit of memory counts the device as well. */
const HEAP_MIB = 256;
const COMPILER_HEAP_MIB = 768;

const zAnswer = z.object({
  messages: z.array(z.string()),
  refused: z.object({ line: z.number(), name: z.string() }).nullable(),
});

const { resolve } = createRequire(import.meta.url);

const folderOf = (specifier: string): string => dirname(dirname(resolve(specifier)));

/** The packages that a program loads with the one that it may import. */
const packages = (): string[] => [
  folderOf('@verbslab/verbs'),
  folderOf('@verbslab/protocol'),
  dirname(resolve('@verbslab/native')),
  dirname(resolve('zod/package.json')),
];

/** Compiles the program. Throws AppError COMPILE_FAILED, PROGRAM_IMPORT. */
export async function compileTypeScript(folder: ProgramFolder): Promise<Compiled> {
  const node = realpathSync(process.execPath);
  const reads = [node, ...packages()];
  const typescript = dirname(resolve('typescript/package.json'));
  const child = childProgram('workbench/typescript-child').path;
  const launcher = compilerLauncher(folder, [...reads, typescript, agentFolder]);
  const { stdout, stderr } = await runCompiler(folder, launcher, [
    ...[node, `--max-old-space-size=${COMPILER_HEAP_MIB}`, child],
    ...[WORKBENCH_FILE.typescript, join(folderOf('@verbslab/verbs'), 'dist')],
  ]);
  const answer = parse(stdout);
  if (!answer) throw new Error(`the TypeScript compiler ended without an answer: ${stderr.slice(0, 2000)}`);
  if (answer.refused) throw new AppError('PROGRAM_IMPORT', answer.refused);
  if (answer.messages.length > 0) throw compileFailed(answer.messages.join('\n'));
  return {
    command: [
      ...[node, '--enable-source-maps', '--disallow-code-generation-from-strings', '--no-warnings'],
      ...[
        `--max-old-space-size=${HEAP_MIB}`,
        '--import',
        pathToFileURL(resolve('@verbslab/verbs/call-lines')).href,
      ],
      join(folder.build, 'main.mjs'),
    ],
    reads,
    warnings: [],
  };
}

function parse(text: string): z.infer<typeof zAnswer> | null {
  try {
    return zAnswer.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
