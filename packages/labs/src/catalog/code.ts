/** The programs of a lab: the files of its `code` folder, with what they share from the folder `code` of this package. */
import { COMMON, PROGRAMS } from '../generated/programs.js';

export type CodeLanguage = 'C' | 'Python' | 'TypeScript';

export interface CodeFile {
  name: string;
  text: string;
}

export interface LabCode {
  language: CodeLanguage;
  /** The program first, then what it shares with other labs. */
  files: CodeFile[];
  /** Builds and runs the program, in the folder of Verbs Lab. */
  command: string;
}

const FOLDER = 'packages/labs';

const LANGUAGES: readonly {
  language: CodeLanguage;
  main: string;
  common: readonly string[];
  command: (path: string, lab: string, text: string) => string;
}[] = [
  {
    language: 'C',
    main: 'main.c',
    common: ['common.h', 'clock.h', 'faults.h'],
    command: (path, lab, text) => {
      const libraries = text.includes('<rdma/rdma_cma.h>') ? '-lrdmacm -libverbs' : '-libverbs';
      const threads = text.includes('<pthread.h>') ? '-pthread ' : '';
      return `cc -Wall -Wextra ${threads}-I ${FOLDER}/code -o /tmp/${lab} ${path} ${libraries} && npx verbslab exec /tmp/${lab}`;
    },
  },
  {
    language: 'Python',
    main: 'main.py',
    common: ['common.py'],
    command: (path) => `PYTHONPATH=${FOLDER}/code npx verbslab exec /usr/bin/python3 ${path}`,
  },
  { language: 'TypeScript', main: 'main.ts', common: [], command: (path) => `npx tsx ${path}` },
];

/** The programs of a lab, one for each language that it has. */
export function labCode(id: string): LabCode[] {
  const own = Object.hasOwn(PROGRAMS, id) ? PROGRAMS[id] : undefined;
  return LANGUAGES.flatMap(({ language, main, common, command }) => {
    const text = own?.[main];
    if (text === undefined) return [];
    const shared = common
      .filter((name) => language !== 'C' || text.includes(`#include "${name}"`))
      .map((name) => ({ name, text: COMMON[name] ?? '' }));
    const path = `${FOLDER}/src/${id}/code/${main}`;
    return [{ language, files: [{ name: main, text }, ...shared], command: command(path, id, text) }];
  });
}
