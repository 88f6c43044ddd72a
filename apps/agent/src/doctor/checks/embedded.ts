import { queryDevices } from '../../devices/list.js';
import { ok, problem, type Finding } from '../finding.js';

/** Checks if the embedded device can be opened, and reports the device's own reason if not. */
export async function checkEmbedded(query = queryDevices): Promise<Finding[]> {
  const { devices, problems } = await query();
  const [failure] = problems.filter(({ provider }) => provider === 'embedded');
  if (failure) return [problem('embedded', failure.message, { cure: [failure.cure] })];
  const device = devices.find(({ provider }) => provider === 'embedded');
  if (!device) return [problem('embedded', 'The embedded device is not built.', { cure: ['npm run build'] })];
  if (device.problem) {
    return [
      problem('embedded', `${device.name} cannot be used: ${device.problem.message}`, {
        cure: [device.problem.cure],
      }),
    ];
  }
  const addresses = device.ports.flatMap(({ gids }) => gids.map(({ address }) => address));
  return [ok('embedded', `${device.name} can be used, on ${addresses.join(', ')}.`)];
}
