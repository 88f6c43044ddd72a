import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError, zDeviceInfo, type DeviceInfo } from '@verbslab/protocol';
import { z } from 'zod';

const TIMEOUT_MS = 15_000;
/** How old an answer may be that was not asked for anew. */
const FRESH_MS = 5_000;

const zAnswer = z.object({
  devices: z.array(zDeviceInfo),
  /** Verbs libraries that cannot be used, and why. */
  problems: z.array(
    z.object({ provider: z.enum(['embedded', 'system']), message: z.string(), cure: z.string() }),
  ),
});
export type Devices = z.infer<typeof zAnswer>;

function program(): string[] {
  const source = import.meta.url.endsWith('.ts');
  const path = fileURLToPath(new URL(source ? './child.ts' : './child.js', import.meta.url));
  return source ? ['--import', 'tsx', path] : [path];
}

/** Asks a child process for the devices of this machine. Rejects with NO_DEVICE when that cannot be told. */
export async function queryDevices(): Promise<Devices> {
  const stdout = await new Promise<string>((resolve, reject) => {
    execFile(
      process.execPath,
      program(),
      { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' },
      (error, out, err) => {
        if (error)
          reject(new AppError('NO_DEVICE', { detail: reason(error, err) }, { detail: err, cause: error }));
        else resolve(out);
      },
    );
  });
  return zAnswer.parse(JSON.parse(stdout));
}

/** The line of a Node stack trace that names the error, or how the process ended. */
function reason(
  error: { killed?: boolean; code?: number | string | null; signal?: string | null },
  stderr: string,
): string {
  if (error.killed) return `the device did not answer within ${TIMEOUT_MS / 1000} s.`;
  const line = stderr.split('\n').find((text) => /^\w*Error\b/.test(text));
  const end = error.signal ? `signal ${error.signal}` : `code ${error.code}`;
  return line ?? `listing them ended with ${end}.`;
}

/** The devices, kept for a moment so that a page that opens does not wait. */
export class DeviceList {
  readonly #query: () => Promise<Devices>;
  #answer: Promise<Devices> | null = null;
  #pending = false;
  #answeredAt = 0;
  /** While it says true devices are not asked: opening one would disturb a measurement. */
  quiet: () => boolean = () => false;

  constructor(query: () => Promise<Devices> = queryDevices) {
    this.#query = query;
  }

  #ask(maxAgeMs: number): Promise<Devices> {
    const fresh = this.#pending || this.quiet() || Date.now() - this.#answeredAt <= maxAgeMs;
    if (this.#answer && fresh) return this.#answer;
    this.#pending = true;
    const answer = this.#query();
    this.#answer = answer;
    answer.then(
      () => {
        this.#pending = false;
        this.#answeredAt = Date.now();
      },
      () => {
        this.#pending = false;
        this.#answer = null;
      },
    );
    return answer;
  }

  /** Empty when there are none; `fresh` asks the devices anew. */
  async get(fresh = false): Promise<DeviceInfo[]> {
    try {
      return (await this.#ask(fresh ? 0 : FRESH_MS)).devices;
    } catch {
      return [];
    }
  }

  /** As `get`, but rejects with NO_DEVICE and the reason when there is none. */
  async need(): Promise<DeviceInfo[]> {
    const { devices, problems } = await this.#ask(FRESH_MS);
    if (devices.length === 0) {
      const detail = problems.map(({ message }) => message).join(' ') || 'none was found.';
      throw new AppError('NO_DEVICE', { detail });
    }
    return devices;
  }
}
