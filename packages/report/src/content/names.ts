import {
  isProgram,
  linkOfRun,
  transportName,
  type Link,
  type RunRecord,
  type Transport,
} from '@verbslab/protocol';

/** The only link of a transport, if it is known. A program's figures are all of RDMA, whichever link carried them. */
function linkIn(run: RunRecord, transport: Transport): Link | null {
  const { links = [] } = run.result ?? {};
  const own = isProgram(run) && transport === 'rdma' && links.length === 1 ? links[0] : undefined;
  return own ?? linkOfRun(run, transport);
}

/** Name of a transport in headings and legends of a run's report, with its link if that is known. */
export const nameIn = (run: RunRecord, transport: Transport): string =>
  transportName(transport, linkIn(run, transport));

/** The data color of a transport. RDMA over shared memory alone has the color of that link. */
export const colorIn = (run: RunRecord, transport: Transport): Transport =>
  transport === 'rdma' && linkIn(run, transport) === 'shm' ? 'shm' : transport;
