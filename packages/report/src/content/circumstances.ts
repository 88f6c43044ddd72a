/** Circumstances of a run: its parameters, machines, devices and links. */
import { choiceLabel, plural, shown, type ColumnView, type TableView } from '@verbslab/labs';
import {
  BOTH_LINKS_NAME,
  commandsOf,
  commandText,
  execOptionsOf,
  isProgram,
  LINK_NAME,
  LINK_TEXT,
  LOCAL_HOST,
  PROVIDER_CLASS_NAME,
  PROVIDER_CLASS_TEXT,
  transportLongName,
  type Imported,
  type ProviderClass,
  type RunRecord,
  type System,
} from '@verbslab/protocol';
import { policyLines } from '../policies/words.js';
import { whenText } from './format.js';
import type { ReportSource } from './source.js';

export interface Fact {
  name: string;
  value: string;
}

/**
 * Provider class that does the NIC's work. The text names the class, or the links of a user-space device. Each chart
 * and table shows it.
 */
export interface Badge {
  provider: ProviderClass;
  text: string;
}

/** The part of a parameter's schema that a report needs. */
interface Property {
  title?: string;
  unit?: string;
  enum?: readonly unknown[];
  choiceTitles?: Readonly<Record<string, string>>;
}

function parameterText(value: unknown, property: Property): string {
  if (typeof value === 'number') return shown(value, property.unit);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return JSON.stringify(value);
  return property.enum ? choiceLabel(value, property) : value;
}

export function parametersOf({ run, lab }: ReportSource): Fact[] {
  if (isProgram(run)) {
    const options = execOptionsOf(run);
    return commandsOf(run).flatMap((command, index, all) => {
      const name = all.length > 1 ? `Command ${index + 1}` : 'Command';
      const given = options[index] ?? [];
      return [
        { name, value: commandText(command) },
        ...(given.length > 0 ? [{ name: `${name}, options of exec`, value: commandText(given) }] : []),
      ];
    });
  }
  const properties = (lab?.params.properties ?? {}) as Readonly<Record<string, Property>>;
  return Object.entries(run.parameters).map(([name, value]) => {
    const property = Object.hasOwn(properties, name) ? properties[name]! : {};
    return { name: property.title ?? name, value: parameterText(value, property) };
  });
}

/** Origin of a run that another host recorded. */
const importedText = ({ host, number, at, sweep }: Imported): string =>
  `run ${number} of ${host}${sweep ? `, of its sweep ${sweep.number}` : ''}, on ${whenText(at)}`;

const NOT_RECORDED = 'not recorded';

const COLUMNS: readonly ColumnView[] = [
  'Endpoint',
  'Host',
  'Device',
  'Provider class',
  'CPU',
  'CPUs',
  'Kernel',
  'Verbs Lab',
].map((label) => ({ name: label, label, unit: '', numeric: label === 'CPUs' }));

function machine(
  role: string,
  device: string,
  provider: ProviderClass,
  host: string,
  system: System | undefined,
): string[] {
  const { cpu = NOT_RECORDED, cpus = NOT_RECORDED, kernel = NOT_RECORDED } = system ?? {};
  const version = system?.verbslab ?? NOT_RECORDED;
  return [role, host, device, PROVIDER_CLASS_NAME[provider], cpu, String(cpus), kernel, version];
}

/** The machine and the device of each end. */
export function machineTable({ run, host: here }: ReportSource): TableView[] {
  const { result } = run;
  // The host `local` of a run is the agent that recorded it.
  const recording = run.imported?.host ?? here;
  const endpoints = (result?.endpoints ?? []).map(({ role, device, providerClass, host, system }) =>
    machine(
      role,
      device,
      providerClass,
      host === LOCAL_HOST ? (system?.hostname ?? recording) : host,
      system,
    ),
  );
  const alone =
    result?.device && result.provider
      ? [
          machine(
            isProgram(run) ? 'program' : 'run',
            result.device,
            result.provider,
            result.program?.system?.hostname ?? recording,
            result.program?.system,
          ),
        ]
      : [];
  const rows = endpoints.length > 0 ? endpoints : alone;
  return rows.length === 0
    ? []
    : [{ name: 'machines', label: 'Machines and devices', columns: [...COLUMNS], rows }];
}

const classesOf = ({ result }: RunRecord): ProviderClass[] => [
  ...new Set([
    ...(result?.endpoints ?? []).map(({ providerClass }) => providerClass),
    ...(result?.provider ? [result.provider] : []),
  ]),
];

export const badgesOf = (run: RunRecord): Badge[] =>
  classesOf(run).map((provider) => {
    const [link, ...others] = provider === 'user-space' ? (run.result?.links ?? []) : [];
    const text = others.length > 0 ? BOTH_LINKS_NAME : link ? LINK_NAME[link] : PROVIDER_CLASS_NAME[provider];
    return { provider, text };
  });

/** Facts of the environment beyond the table of machines. */
export function environmentOf({ run, evidence }: ReportSource): Fact[] {
  const { result, capture, droppedRecords, sweep, imported } = run;
  return [
    ...classesOf(run).map((one) => ({ name: 'Provider class', value: PROVIDER_CLASS_TEXT[one] })),
    ...(result?.links ?? []).map((link) => ({
      name: `Link of ${transportLongName('rdma', link)}`,
      value: LINK_TEXT[link],
    })),
    ...policyLines(evidence.policies).map((value) => ({ name: 'Policy of queue pairs', value })),
    ...(capture ? [{ name: 'Capture', value: plural(capture.packets, 'packet record') }] : []),
    ...(droppedRecords > 0
      ? [{ name: 'Not kept', value: `${plural(droppedRecords, 'detail record')} beyond the storage limit` }]
      : []),
    ...(imported ? [{ name: 'Imported', value: importedText(imported) }] : []),
    ...(sweep
      ? [{ name: 'Sweep', value: `${sweep.number}: point ${sweep.point + 1}, round ${sweep.round + 1}` }]
      : []),
  ];
}
