import type { Cell, EndpointResult, LabContext, NetworkInterface } from '@verbslab/protocol';
import { formatCount, plural } from '../base/format.js';
import { interfaceOf, originOf } from './gids.js';
import { askBeyond, type Ask } from './limits.js';
import { DEVICE_MEANING, PORT_MEANING } from './meanings.js';
import { pathMtuOf } from './mtu.js';
import type { DeviceFactsParams } from './params.js';

type Context = LabContext<DeviceFactsParams>;

/** A GID and the interface that it is tied to. */
interface TiedGid {
  index: number;
  name: string | null;
  interface: NetworkInterface | undefined;
}

export async function runDeviceFacts(ctx: Context): Promise<void> {
  const host = ctx.endpoint('host');
  const net = await host.call('query', {});
  const told = await host.call('attributes', {});
  listAttributes(ctx, told);

  const tied = await listGids(ctx, net);
  const own = tied.find(({ index }) => index === net.gidIndex);
  checkPort(ctx, net, tied);
  const mtu = checkMtu(ctx, net, own?.interface);

  const asks = await askBeyond(ctx, host, ctx.params.beyond);
  checkAsks(ctx, asks);

  const { maxQp, maxCq } = net.device.limits;
  ctx.figure('max-qp', maxQp);
  ctx.figure('max-cq', maxCq);
  ctx.draining();
  ctx.answer(
    `${net.device.name} allows ${formatCount(maxQp)} QPs and ${formatCount(maxCq)} CQs. ` +
      `Its port carries ${formatCount(net.mtu)} B of payload per packet${mtu === null ? '' : `; its interface${own?.name ? ` ${own.name}` : ''} has an MTU of ${formatCount(mtu)} B`}. ` +
      `Interfaces of this machine hold ${tied.filter(({ name }) => name !== null).length} of its ${plural(tied.length, 'GID')}.`,
  );
}

/** All digits of a whole number: a limit is no measurement. Numbers of vendors are written in hex. */
const exact = (name: string, value: Cell): Cell => {
  if (!Number.isInteger(value)) return value;
  return name.startsWith('vendor_') ? `0x${(value as number).toString(16)}` : formatCount(value as number);
};

function listAttributes(ctx: Context, { device, port }: EndpointResult<'attributes'>): void {
  const rows = (
    values: Readonly<Record<string, Cell>>,
    meanings: Readonly<Record<string, string>>,
    of: string,
  ): void => {
    for (const [name, value] of Object.entries(values))
      ctx.row('attributes', { of, name, value: exact(name, value), meaning: meanings[name] ?? '' });
  };
  rows(device, DEVICE_MEANING, 'device');
  rows(port, PORT_MEANING, 'port');
}

async function listGids(ctx: Context, { device, port }: EndpointResult<'query'>): Promise<TiedGid[]> {
  const { interfaces, gids } = await ctx.endpoint('host').call('interfaces', {});
  for (const { name, mtu, mac, addresses } of interfaces)
    ctx.row('interfaces', {
      name,
      mac,
      mtu,
      pathMtu: mtu === null ? null : pathMtuOf(mtu),
      addresses: addresses.join(', '),
    });
  const known = new Map(gids.map(({ index, interface: name }) => [index, name]));
  return (device.ports.find((one) => one.port === port)?.gids ?? []).map(({ index, gid, type, address }) => {
    const kernels = known.get(index) ?? null;
    const holder = interfaces.find(({ name }) => name === kernels) ?? interfaceOf(address, interfaces);
    const name = kernels ?? holder?.name ?? null;
    ctx.row('gids', { index, gid, type, interface: name, origin: holder ? originOf(address, holder) : null });
    return { index, name, interface: holder };
  });
}

function checkPort(ctx: Context, { device, port }: EndpointResult<'query'>, tied: readonly TiedGid[]): void {
  const state = device.ports.find((one) => one.port === port)?.state ?? 'NOP';
  ctx.check('port-active', state === 'ACTIVE', `Port ${port} is ${state}.`);
  const loose = tied.filter(({ name }) => name === null).map(({ index }) => index);
  ctx.check(
    'gids-tied',
    tied.length > 0 && loose.length === 0,
    loose.length === 0
      ? `${plural(tied.length, 'GID')}: ${tied.map(({ index, name }) => `index ${index} belongs to ${name ?? 'none'}`).join(', ')}.`
      : `No interface holds the GID at index ${loose.join(', ')}.`,
  );
}

/** Checks the port’s MTU. Returns the interface's MTU, bytes; null where the system does not report it. */
function checkMtu(
  ctx: Context,
  { device, port, mtu }: EndpointResult<'query'>,
  holder?: NetworkInterface,
): number | null {
  const of = holder?.mtu ?? null;
  const asked = pathMtuOf(ctx.params.interfaceMtu);
  ctx.figure('active-mtu', mtu);
  ctx.figure('interface-mtu', of);
  ctx.figure('path-mtu-asked', asked);
  // The prediction names its options `b` and the bytes.
  ctx.outcome('mtu-of', `b${asked}`);
  const max = device.ports.find((one) => one.port === port)?.maxMtu ?? mtu;
  if (of === null || holder === undefined)
    ctx.doesNotApply('mtu-fits', 'The system does not report the MTU of the port’s interface.');
  else {
    const fits = Math.min(pathMtuOf(of), max);
    ctx.check(
      'mtu-fits',
      mtu === fits,
      `${holder.name} has an MTU of ${formatCount(of)} B. The rule gives a path MTU of ${formatCount(fits)} B; the port reports ${formatCount(mtu)} B.`,
    );
  }
  return of;
}

function checkAsks(ctx: Context, asks: readonly Ask[]): void {
  const { beyond } = ctx.params;
  const granted = asks.filter(({ refusal }) => refusal === null);
  ctx.outcome('beyond-limit', granted.length === 0 ? 'refused' : 'granted');
  if (beyond === 0) {
    const refused = asks.filter(({ refusal }) => refusal !== null);
    return ctx.check(
      'refused',
      refused.length === 0,
      refused.length === 0
        ? `All ${asks.length} requests at exactly a limit were granted.`
        : `The device refused what it says that it allows: ${refused.map(({ limit }) => limit).join(', ')}.`,
    );
  }
  ctx.check(
    'refused',
    granted.length === 0,
    granted.length === 0
      ? `All ${asks.length} requests beyond a limit were refused.`
      : `The device granted more than its limit: ${granted.map(({ limit }) => limit).join(', ')}.`,
  );
}
