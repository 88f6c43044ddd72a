import { describe, expect, it } from 'vitest';
import { figures, rows, runLab, unmet } from './helpers/lab-run.js';

const run = (params: Record<string, unknown> = {}, env: Record<string, string> = {}) =>
  runLab('device-facts', params, env);

describe('what a device says about itself', () => {
  it('grants exactly the limits', async () => {
    const lab = await run({ beyond: 0 });
    expect(rows(lab, 'asks').map(({ outcome }) => outcome)).toEqual(['Granted.', 'Granted.', 'Granted.']);
    expect(lab.checks.find(({ id }) => id === 'refused')).toMatchObject({
      ok: true,
      detail: 'All 3 requests at exactly a limit were granted.',
    });
    expect(lab.recording.of('outcome').find(({ prediction }) => prediction === 'beyond-limit')?.value).toBe(
      'granted',
    );
  });

  it.each([
    [1100, 512],
    [1500, 1024],
    [9000, 4096],
  ])('gives an interface MTU of %i B a path MTU of %i B', async (interfaceMtu, pathMtu) => {
    expect(figures(await run({ interfaceMtu }))['path-mtu-asked']).toBe(pathMtu);
  });

  it('ties addresses that lo does not list to lo', async () => {
    const lab = await run({}, { UROCE_ADDR: '127.0.0.77' });
    expect(unmet(lab)).toEqual([]);
    expect(rows(lab, 'gids').map(({ gid, interface: name }) => [gid, name])).toContainEqual([
      '::ffff:127.0.0.77',
      'lo',
    ]);
  });
});
