import { vi } from 'vitest';
import { main } from '../../src/cli/main.js';

export interface Printed {
  code: number;
  out: string;
  err: string;
}

/** A command in this process, with the home of an agent: a start of Node costs more than most tests. */
export async function verbslab(home: string, args: readonly string[]): Promise<Printed> {
  let out = '';
  let err = '';
  const keep =
    (add: (text: string) => void) =>
    (chunk: unknown): boolean => {
      add(String(chunk));
      return true;
    };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep((text) => (out += text))),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep((text) => (err += text))),
  ];
  vi.stubEnv('VERBSLAB_HOME', home);
  process.exitCode = 0;
  try {
    await main(['node', 'verbslab', ...args]);
    return { code: Number(process.exitCode), out, err };
  } finally {
    process.exitCode = 0;
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}
