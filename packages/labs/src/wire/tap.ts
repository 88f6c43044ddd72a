/** Packets of an endpoint: from the tap of its device, or from the network interface under it. */
import { AppError, type EndpointArgs, type LabContext, type TapReport } from '@verbslab/protocol';
import { plural } from '../base/format.js';

/** A capture that cannot be had costs a lab its packets, not its run. */
const WITHOUT = ['MISSING_CAPABILITY', 'CAPTURE_FORBIDDEN', 'CAPTURE_FAILED'];

/**
 * Starts the tap of an endpoint under a source of its own; false, with a note that says why, where there is nothing to see.
 * `oneAddress`: both ends of the connection have the same GID.
 */
export async function startTap(
  ctx: LabContext<unknown>,
  name: string,
  oneAddress: boolean,
  options: Omit<EndpointArgs<'tap.start'>, 'source'>,
): Promise<boolean> {
  const endpoint = ctx.endpoint(name);
  if (oneAddress && endpoint.device.providerClass === 'kernel') {
    ctx.note(
      'Both endpoints are on one address: the kernel passes their packets on inside the device, and no interface sees them. Use devices on two machines to capture packets.',
    );
    return false;
  }
  const role = name === 'client' || name === 'server' ? name : 'process';
  const label = `Packets at ${role === 'process' ? name : `the ${role}`}`;
  const source = ctx.source(name, { transport: 'rdma', role, what: 'tap', label });
  try {
    const { interface: link } = await endpoint.call('tap.start', { source, ...options });
    if (link !== undefined)
      ctx.note(
        `${label} are all packets to UDP port 4791 on ${link}, as they are on the wire. Those of other connections are listed, but not checked.`,
      );
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || !WITHOUT.includes(error.code)) throw error;
    ctx.note(`${error.info.message} ${error.info.cure}`);
    return false;
  }
}

/** Checks that every packet that can be checked has the right ICRC. */
export function icrcRight(report: Pick<TapReport, 'packets' | 'badIcrc' | 'malformed' | 'cut'>): {
  ok: boolean;
  detail: string;
} {
  const { packets, cut = 0 } = report;
  const bad = report.badIcrc + report.malformed;
  const checked = packets - cut;
  const rest =
    cut === 0
      ? ''
      : ` ${plural(cut, 'packet')} more ${cut === 1 ? 'was' : 'were'} longer than the interface’s MTU, and not kept whole.`;
  return {
    ok: bad === 0 && checked > 0,
    detail:
      bad === 0
        ? `The ICRC of all ${plural(checked, 'packet')} matches our recomputed value.${rest}`
        : `${plural(bad, 'packet')} of ${checked} cannot be read or have a wrong ICRC.${rest}`,
  };
}
