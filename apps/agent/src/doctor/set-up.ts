/** Facts about this machine for the page that sets up two machines. Nothing is changed. */
import { isIPv4 } from 'node:net';
import { AppError, type MachinesWork, type SetUp } from '@verbslab/protocol';
import { answers, type Subsystem } from '../base/subsystem.js';
import { ownAddresses } from '../config/own-addresses.js';
import { vmsFolder } from '../vms/paths.js';
import { plan } from '../vms/plan.js';
import { checkRequirements } from '../vms/requirements.js';
import { earlierStarts } from '../vms/starts.js';
import { status } from '../vms/status.js';
import { examine } from './doctor.js';
import { Host } from './host.js';
import { MESSAGES } from './messages.js';

function missing(): SetUp['vms']['missing'] {
  try {
    checkRequirements();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.info;
  }
}

/**
 * @param home data folder of the agent, which records the machines that were started
 * @param work the agent's current work on the machines
 */
async function lookAround(home: string, work: MachinesWork | null): Promise<SetUp> {
  const lacking = missing();
  const [findings, vms] = await Promise.all([examine(new Host()), status(vmsFolder(home))]);
  return {
    findings: findings.map(({ cure, ...finding }) => ({ ...finding, ...(cure && { cure: [...cure] }) })),
    addresses: ownAddresses().filter(isIPv4),
    vms: {
      missing: lacking,
      machines: (vms?.vms ?? []).map(({ name, condition, rdma }) => ({ name, condition, rdma })),
      plan: process.platform === 'linux' ? plan() : null,
      starts: earlierStarts(home),
      work,
    },
    symptoms: MESSAGES.map((message) => ({ ...message })),
  };
}

/** Answers the page that sets up two machines. */
export const setUp = (home: string, work: () => MachinesWork | null): Subsystem => ({
  messages: answers({ 'set-up.look': async () => ({ seen: await lookAround(home, work()) }) }),
});
