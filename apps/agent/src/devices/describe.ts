/** Devices as the protocol describes them. */
import {
  AppError,
  EXTENSIONS,
  MTUS,
  toErrorInfo,
  type Capability,
  type DeviceInfo,
  type Mtu,
  type PortInfo,
} from '@verbslab/protocol';
import {
  listProviders,
  type Context,
  type Device,
  type DeviceAttributes,
  type ProviderStatus,
} from '@verbslab/verbs';
import { interfaceTapTrouble } from '../capture/place.js';

const guidText = (guid: bigint): string =>
  guid
    .toString(16)
    .padStart(16, '0')
    .replace(/(....)(?=.)/g, '$1:');

const mtuOf = (bytes: number): Mtu => MTUS.findLast((mtu) => mtu <= bytes) ?? MTUS[0];

function describePort(context: Context, number: number): PortInfo {
  const port = context.queryPort(number);
  return {
    port: number,
    state: port.state,
    linkLayer: port.linkLayer,
    maxMtu: mtuOf(port.maxMtu),
    activeMtu: mtuOf(port.activeMtu),
    maxMessageSize: port.maxMessageSize,
    gids: context.gids(number),
  };
}

/** The optional parts of verbs that a device has. */
function optional({ atomic, maxSrq, maxMw }: DeviceAttributes): Capability[] {
  return [
    ...(atomic === 'none' ? [] : ['atomics' as const]),
    ...(maxSrq === 0 ? [] : ['srq' as const]),
    ...(maxMw === 0 ? [] : ['windows' as const]),
  ];
}

/** Describes an open device, with the present state of its ports and GIDs. */
export function describeDevice(context: Context): DeviceInfo {
  const { device, attributes } = context;
  const { capabilities, ...own } = named(device);
  return {
    ...own,
    capabilities: [...capabilities, ...optional(attributes)],
    fwVersion: attributes.firmware,
    nodeGuid: guidText(attributes.nodeGuid),
    vendorId: attributes.vendorId,
    limits: {
      maxMrSize: Number(attributes.maxMrSize),
      maxQp: attributes.maxQp,
      maxQpWr: attributes.maxQpWr,
      maxSge: attributes.maxSge,
      maxCq: attributes.maxCq,
      maxCqe: attributes.maxCqe,
      maxMr: attributes.maxMr,
      maxPd: attributes.maxPd,
      maxQpRdAtom: attributes.maxQpRdAtom,
    },
    ports: Array.from({ length: attributes.ports }, (_, index) => describePort(context, index + 1)),
  };
}

type Named = Pick<DeviceInfo, 'name' | 'providerClass' | 'provider' | 'capabilities' | 'lacks'>;

/**
 * Names a device. Packets of a device without its own tap are captured on its network interface, if that is allowed.
 */
function named(device: Device): Named {
  const capabilities: Capability[] = EXTENSIONS.filter((capability) => device.capabilities[capability]);
  const { name, providerClass, provider } = device;
  const own = { name, providerClass, provider };
  if (capabilities.includes('tap')) return { ...own, capabilities };
  const trouble = interfaceTapTrouble(device);
  if (!trouble) return { ...own, capabilities: [...capabilities, 'tap'] };
  const { message, cure } = trouble.info;
  return { ...own, capabilities, lacks: [{ capability: 'tap', message, cure }] };
}

/** Opens each device while it is described. A device that cannot be opened carries the reason. */
export function describeDevices(providers: readonly ProviderStatus[]): DeviceInfo[] {
  return providers.flatMap(({ devices }) =>
    devices.map((device) => {
      try {
        const context = device.open();
        try {
          return describeDevice(context);
        } finally {
          context.closeAll();
        }
      } catch (error) {
        const { message, cure } = toErrorInfo(error);
        return {
          ...named(device),
          fwVersion: '',
          nodeGuid: guidText(device.guid),
          vendorId: 0,
          limits: {
            maxMrSize: 0,
            maxQp: 0,
            maxQpWr: 0,
            maxSge: 0,
            maxCq: 0,
            maxCqe: 0,
            maxMr: 0,
            maxPd: 0,
            maxQpRdAtom: 0,
          },
          ports: [],
          problem: { message, cure },
        };
      }
    }),
  );
}

/** The device of a name. Throws AppError UNKNOWN_DEVICE or NO_DEVICE. */
export function findDevice(name: string): { device: Device; all: Device[] } {
  const providers = listProviders();
  const all = providers.flatMap(({ devices }) => devices);
  const device = all.find((candidate) => candidate.name === name);
  if (device) return { device, all };
  const broken = providers.find(({ error }) => error !== null)?.error;
  if (all.length === 0) throw new AppError('NO_DEVICE', { detail: broken?.message ?? 'none was found.' });
  throw new AppError('UNKNOWN_DEVICE', { device: name, known: all.map((each) => each.name).join(', ') });
}
