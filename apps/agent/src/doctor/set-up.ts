/** What a page that sets up two machines has to know of this one. Only looks. */
import { isIPv4 } from 'node:net';
import { AppError, type SetUp } from '@verbslab/protocol';
import { ownAddresses } from '../config/own-addresses.js';
import { vmsFolder } from '../vms/paths.js';
import { checkRequirements } from '../vms/requirements.js';
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

/** @param home data folder of the agent: machines that were started are noted there */
export async function lookAround(home: string): Promise<SetUp> {
  const [findings, vms] = await Promise.all([examine(new Host()), status(vmsFolder(home))]);
  return {
    findings: findings.map(({ cure, ...finding }) => ({ ...finding, ...(cure && { cure: [...cure] }) })),
    addresses: ownAddresses().filter(isIPv4),
    vms: {
      missing: missing(),
      machines: (vms?.vms ?? []).map(({ name, condition, rdma }) => ({ name, condition, rdma })),
    },
    symptoms: MESSAGES.map((message) => ({ ...message })),
  };
}
