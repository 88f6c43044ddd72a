import { EXTENSIONS, PROVIDER_CLASS_TEXT, type DeviceInfo } from '@verbslab/protocol';
import { Command } from 'commander';
import { queryDevices, type Devices } from '../devices/list.js';
import { memlockLimit } from '../devices/machine.js';
import { bold, muted, print, printJson } from './terminal.js';

function describe(device: DeviceInfo): string {
  const lines = [`${bold(device.name)}  ${PROVIDER_CLASS_TEXT[device.providerClass]}`];
  if (device.problem)
    return [...lines, `  cannot be used: ${device.problem.message}`, `  ${device.problem.cure}`].join('\n');
  for (const port of device.ports) {
    lines.push(
      `  port ${port.port}: ${port.state}, path MTU ${port.activeMtu} of ${port.maxMtu} B, ${port.linkLayer}`,
    );
    for (const gid of port.gids) lines.push(`    GID ${gid.index}  ${gid.gid}  ${muted(gid.type)}`);
  }
  const { maxQp, maxQpWr, maxSge, maxCqe } = device.limits;
  lines.push(
    `  Max QPs: ${maxQp}, max work requests per QP: ${maxQpWr}, max SGEs per work request: ${maxSge}, max CQEs per CQ: ${maxCqe}`,
  );
  const extensions = EXTENSIONS.filter((one) => device.capabilities.includes(one));
  if (extensions.length > 0) lines.push(`  beyond verbs: ${extensions.join(', ')}`);
  for (const { message, cure } of device.lacks ?? []) lines.push(`  ${muted(`${message} ${cure}`)}`);
  return lines.join('\n');
}

function report({ devices, problems }: Devices): string {
  const parts = devices.map(describe);
  for (const { provider, message } of problems) {
    parts.push(
      muted(`${provider === 'system' ? 'The machine’s own libibverbs' : 'The embedded device'}: ${message}`),
    );
  }
  const limit = memlockLimit();
  if (limit !== null) parts.push(muted(`Locked-memory limit (ulimit -l): ${Math.round(limit / 1024)} KiB`));
  return parts.join('\n\n');
}

export function devicesCommand(): Command {
  return new Command('devices')
    .description('list the RDMA devices of this machine: class, ports, GIDs, limits')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The embedded device is always there; kernel devices (rxe, siw) and NICs show when their driver is loaded.

Examples:
  verbslab devices
  verbslab devices --json | jq '.devices[].name'`,
    )
    .action(async ({ json }: { json?: boolean }) => {
      const answer = await queryDevices();
      if (json) printJson(answer);
      else print(report(answer));
      if (answer.devices.length === 0) process.exitCode = 1;
    });
}
