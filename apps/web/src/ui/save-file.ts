/** Hands a text to the browser as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Hands a value to the browser as a file, indented. */
export const saveJson = (name: string, value: unknown): void =>
  saveFile(name, 'application/json', `${JSON.stringify(value, null, 2)}\n`);
