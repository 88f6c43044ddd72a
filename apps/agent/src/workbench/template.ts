import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { WorkbenchTask } from '@verbslab/labs/workbench';
import { WORKBENCH_FILE, type WorkbenchLanguage } from '@verbslab/protocol';
import { agentFolder } from '../config/agent-folder.js';
import { AMBIENT } from './ambient.js';
import { C_FLAGS, C_LIBRARIES } from './compile-c.js';

/** The command, from any folder. */
const verbslab = (): string => `node ${join(agentFolder, 'bin/verbslab.js')}`;

const makefile = (
  task: string,
): string => `# Task ${task} of the workbench. The agent compiles with the same flags.
CFLAGS ?= ${C_FLAGS.join(' ')}
LDLIBS ?= ${C_LIBRARIES.join(' ')}
VERBSLAB ?= ${verbslab()}

main: main.c

.PHONY: run check clean
run: main
	$(VERBSLAB) exec --report -- ./main

check:
	$(VERBSLAB) workbench check ${task} .

clean:
	rm -f main
`;

const tsconfig = (): string =>
  JSON.stringify(
    {
      compilerOptions: {
        target: 'ES2022',
        lib: ['ES2023', 'ESNext.Disposable'],
        module: 'ESNext',
        moduleResolution: 'Bundler',
        moduleDetection: 'force',
        types: [],
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        paths: {
          '@verbslab/verbs': [
            createRequire(import.meta.url)
              .resolve('@verbslab/verbs')
              .replace(/\.js$/, '.d.ts'),
          ],
        },
      },
      files: ['main.ts', 'workbench.d.ts'],
    },
    null,
    2,
  ) + '\n';

const HOW: Readonly<Record<WorkbenchLanguage, (task: string) => string>> = {
  c: (task) => `
    make            compile main.c
    make run        run it on the embedded device, with a report of misuse
    make check      compile, run and check it, as \`verbslab workbench check ${task} .\` does
`,
  typescript: (task) => `
    ${verbslab()} workbench check ${task} .

tsconfig.json tells your editor the types of \`@verbslab/verbs\`.
`,
};

const readme = (
  { id, title, text, points }: WorkbenchTask,
  language: WorkbenchLanguage,
): string => `# ${title}

${text.trim()}

## How to go on

Edit \`${WORKBENCH_FILE[language]}\`, then:
${HOW[language](id)}
The check needs an agent whose owner allows programs:

    ${verbslab()} up --allow-programs

## What is checked

${points.map((point) => `- ${point.text}`).join('\n')}
`;

/** The files of a folder to write a task’s program in, by their names. */
export function templateOf(task: WorkbenchTask, language: WorkbenchLanguage): Record<string, string> {
  return {
    [WORKBENCH_FILE[language]]: task.starter[language],
    ...(language === 'c'
      ? { Makefile: makefile(task.id) }
      : { 'tsconfig.json': tsconfig(), 'workbench.d.ts': AMBIENT.trimStart() }),
    'README.md': readme(task, language),
  };
}
