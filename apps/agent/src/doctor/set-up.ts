/** What a page that sets up two machines has to know of this one. Only looks. */
import { networkInterfaces } from 'node:os';
import { AppError, type SetUp } from '@verbslab/protocol';
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
    addresses: Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address),
    vms: {
      missing: missing(),
      machines: (vms?.vms ?? []).map(({ name, condition, rdma }) => ({ name, condition, rdma })),
    },
    symptoms: MESSAGES.map((message) => ({ ...message })),
  };
}
