import { capturePath } from '@verbslab/native';
import { captureTrouble } from '../../capture/permission.js';
import { note, ok, type Finding } from '../finding.js';
import { rdmaDevices, type Host } from '../host.js';

/** Checks if packets of the kernel's devices can be captured; the embedded device needs no permission for its own. */
export function checkCapture(host: Host, trouble = captureTrouble): Finding[] {
  if (rdmaDevices(host).length === 0) return [];
  const found = trouble();
  if (!found) return [ok('capture', 'Packets of the kernel’s devices can be captured.')];
  return [
    note('capture', found.info.message, {
      why: 'Labs on the kernel’s devices show no packets without it; everything else works.',
      cure:
        found.code === 'CAPTURE_FORBIDDEN'
          ? [
              `sudo setcap cap_net_raw+ep ${capturePath}   # repeat after each build`,
              'In a container: --cap-add NET_RAW. Under systemd: AmbientCapabilities=CAP_NET_RAW.',
            ]
          : ['npm run build'],
    }),
  ];
}
