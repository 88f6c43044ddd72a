import { fileURLToPath } from 'node:url';

/** Path of the bundled form of a program in this folder, which a test starts with Node (bundle-programs.mjs). */
export const helperProgram = (name: 'bad-child' | 'crash-agent' | 'full-disk' | 'peer-agent'): string =>
  fileURLToPath(new URL(`../../dist/test-programs/${name}.mjs`, import.meta.url));
