import { fileURLToPath } from 'node:url';

/** Of a program beside this file, the bundled form that a test starts with Node (bundle-programs.mjs). */
export const helperProgram = (name: 'bad-child' | 'crash-agent' | 'full-disk' | 'peer-agent'): string =>
  fileURLToPath(new URL(`../../dist/test-programs/${name}.mjs`, import.meta.url));
