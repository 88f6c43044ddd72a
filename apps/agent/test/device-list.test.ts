import { AppError, type DeviceInfo } from '@verbslab/protocol';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DeviceList, queryDevices } from '../src/devices/list.js';

/** Lists the devices in a process that runs this code first. Returns the error. */
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

it('knows the namespace of a device by an answer of any age, and asks again for one that is new', async () => {
  vi.stubEnv('VERBSLAB_UROCE_NETNS', 'other');
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.useRealTimers();
  });
  const device = (name: string, provider: 'embedded' | 'system') => ({ name, provider }) as DeviceInfo;
  const query = vi.fn(() => Promise.resolve({ devices: [device('rxe0', 'system')], problems: [] }));
  const list = new DeviceList(query);
  expect(await list.netnsOf('rxe0')).toBeUndefined();
  vi.advanceTimersByTime(3_600_000);
  expect(await list.netnsOf('rxe0')).toBeUndefined();
  expect(query).toHaveBeenCalledTimes(1);
  query.mockResolvedValue({
    devices: [device('rxe0', 'system'), device('uroce0', 'embedded')],
    problems: [],
  });
  expect(await list.netnsOf('uroce0')).toBe('/run/netns/other');
  expect(query).toHaveBeenCalledTimes(2);
});
