import { saveFile } from './save-file';

/** Hands a value to the browser as a file, indented. */
export const saveJson = (name: string, value: unknown): void =>
  saveFile(name, 'application/json', `${JSON.stringify(value, null, 2)}\n`);
