import { AppError } from '@verbslab/protocol';
import { expect, it, onTestFinished, vi } from 'vitest';
import { queryDevices } from '../src/devices/list.js';

/** What listing the devices fails with when its process does this first. */
async function failing(deed: string): Promise<AppError> {
  vi.stubEnv('NODE_OPTIONS', `--import="data:text/javascript,${encodeURIComponent(deed)}"`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const error: unknown = await queryDevices().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).code).toBe('NO_DEVICE_LIST');
  return error as AppError;
}

it('says by which signal the process that lists devices was killed, and what to do then', async () => {
  const error = await failing("process.kill(process.pid, 'SIGKILL')");
  expect(error.message).toContain('killed by SIGKILL');
  expect(error.info.cure).toMatch(/memory runs out/);
  expect(error.info.cure).not.toMatch(/build/i);
  expect((await failing("process.kill(process.pid, 'SIGXCPU')")).info.cure).toContain('ulimit -t');
});

it('says when the answer of that process is unreadable', async () => {
  expect((await failing("process.stdout.write('{'); process.exit(0)")).message).toContain(
    'its answer is unreadable',
  );
  const shapeless = await failing('process.stdout.write(\'{"devices":[1]}\'); process.exit(0)');
  expect(shapeless.message).toContain('devices.0');
  expect((await failing("throw new RangeError('too much')")).message).toContain('RangeError: too much');
});
