import { checkCapture } from './checks/capture.js';
import { checkEmbedded } from './checks/embedded.js';
import { checkFirewall } from './checks/firewall.js';
import { checkKernel, checkUverbs } from './checks/kernel.js';
import { checkMemlock, checkSocketBuffer } from './checks/limits.js';
import { checkAddresses, checkGids, checkMtu } from './checks/ports.js';
import { checkUdpPort } from './checks/udp-port.js';
import type { Finding } from './finding.js';
import type { Host } from './host.js';

/** Runs every check of the machine, in the order in which things have to work. Nothing is changed. */
export async function examine(host: Host): Promise<Finding[]> {
  const [embedded, firewall] = await Promise.all([checkEmbedded(), checkFirewall(host)]);
  const checks = [
    checkUdpPort,
    checkSocketBuffer,
    checkMemlock,
    checkKernel,
    checkUverbs,
    checkGids,
    checkMtu,
    checkAddresses,
  ];
  return [...embedded, ...checks.flatMap((check) => check(host)), ...checkCapture(host), ...firewall];
}
