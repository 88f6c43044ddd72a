/** Differences between the runs themselves: parameters, places, device, link, provider class. */
import {
  commandsOf,
  describedBy,
  isProgram,
  isFinal,
  isSimulation,
  LINK_NAME,
  transportName,
  TRANSPORTS,
  linkOfRun,
  type LabDescription,
  type ProviderClass,
  type RunRecord,
} from '@verbslab/protocol';
import { letterList, nameList } from './letters.js';

/** Title and text of a parameter of a lab. */
export type FieldText = (
  lab: LabDescription | undefined,
  name: string,
  value: unknown,
) => { title: string; text: string };

export interface Difference {
  id: string;
  title: string;
  /** Values in the order of the runs; a dash where a run has none. */
  values: string[];
  differs: boolean;
}

const NONE = '–';
const PROVIDERS = {
  hardware: 'hardware',
  kernel: 'kernel software',
  'user-space': 'user-space software',
  simulated: 'simulated',
  unknown: 'unknown',
} as const satisfies Record<ProviderClass, string>;

const places = ({ result }: RunRecord) => result?.endpoints ?? [];

const perRole = (run: RunRecord, of: (place: ReturnType<typeof places>[number]) => string): string => {
  const found = places(run).map((place) => [place.role, of(place)] as const);
  const distinct = new Set(found.map(([, text]) => text));
  if (found.length === 0) return NONE;
  return distinct.size === 1 ? found[0]![1] : found.map(([role, text]) => `${role} ${text}`).join(', ');
};

/** Links that carried the packets of RDMA, in words. */
const linksOf = ({ result }: RunRecord): string =>
  result?.links?.map((link) => LINK_NAME[link]).join(', ') ?? NONE;

const classOf = (run: RunRecord): string => {
  const classes = perRole(run, ({ providerClass }) => PROVIDERS[providerClass]);
  return classes === NONE && run.result?.provider ? PROVIDERS[run.result.provider] : classes;
};

/** Programs and simulations are of one kind each, whatever their titles. */
const labName = (run: RunRecord): string =>
  isProgram(run) ? 'program' : isSimulation(run) ? 'simulation' : run.title;

const commandOf = (run: RunRecord): string =>
  commandsOf(run)
    .map((command) => command.join(' '))
    .join(' + ') || NONE;

function parameterRows(
  runs: readonly RunRecord[],
  labs: readonly LabDescription[],
  textOf: FieldText,
): Omit<Difference, 'differs'>[] {
  const labOf = (run: RunRecord) => describedBy(labs, run);
  if (runs.every(isProgram)) return [{ id: 'param.command', title: 'Command', values: runs.map(commandOf) }];
  const names = new Set(
    runs.flatMap((run) => [
      ...Object.keys((labOf(run)?.params.properties ?? {}) as object).filter(
        (name) => run.parameters[name] !== undefined,
      ),
      ...Object.keys(run.parameters),
    ]),
  );
  return [...names].map((name) => {
    const texts = runs.map((run) =>
      run.parameters[name] === undefined ? null : textOf(labOf(run), name, run.parameters[name]),
    );
    return {
      id: `param.${name}`,
      title: texts.find((one) => one !== null)?.title ?? name,
      values: texts.map((one) => one?.text ?? NONE),
    };
  });
}

/** The machine of an endpoint. Runs of older agents do not say. */
type System = NonNullable<ReturnType<typeof places>[number]['system']>;

/** Conditions under which the runs were made, as far as they are known, in reading order. */
export function differencesOf(
  runs: readonly RunRecord[],
  labs: readonly LabDescription[],
  textOf: FieldText,
): Difference[] {
  const system = (id: string, title: string, of: (one: System) => string): Omit<Difference, 'differs'> => ({
    id,
    title,
    values: runs.map((run) => perRole(run, (place) => (place.system ? of(place.system) : 'not recorded'))),
  });
  const rows = [
    { id: 'lab', title: 'Lab', values: runs.map(labName) },
    ...parameterRows(runs, labs, textOf),
    {
      id: 'host',
      title: 'Host',
      values: runs.map((run) =>
        perRole(run, ({ host, system: at }) => (at ? `${host} (${at.hostname})` : host)),
      ),
    },
    { id: 'device', title: 'Device', values: runs.map((run) => perRole(run, ({ device }) => device)) },
    { id: 'provider', title: 'Provider class', values: runs.map(classOf) },
    { id: 'link', title: 'Link', values: runs.map(linksOf) },
    system('cpu', 'CPU', ({ cpu, cpus }) => `${cpu}, ${cpus} CPUs`),
    system('kernel', 'Kernel', ({ kernel }) => kernel),
    system('verbslab', 'Verbs Lab', ({ verbslab }) => verbslab),
  ];
  return rows
    .filter(({ values }) => values.some((value) => value !== NONE))
    .map((row) => ({ ...row, differs: new Set(row.values).size > 1 }));
}

const groupsOf = (runs: readonly RunRecord[], of: (run: RunRecord) => string): string | null => {
  const groups = new Map<string, number[]>();
  runs.forEach((run, i) => groups.set(of(run), [...(groups.get(of(run)) ?? []), i]));
  groups.delete(NONE);
  if (groups.size < 2) return null;
  return [...groups].map(([text, which]) => `${letterList(which)}: ${text}`).join('; ');
};

/** Reasons why figures of these runs may not compare: sentences. */
export function comparisonWarnings(runs: readonly RunRecord[]): string[] {
  const warnings: string[] = [];
  const labs = groupsOf(runs, labName);
  if (labs !== null)
    warnings.push(
      `These are runs of different labs (${labs}). Figures of the same name may count different things, so do not compare them without reading how each lab measures.`,
    );
  const classes = groupsOf(runs, classOf);
  if (classes !== null)
    warnings.push(
      `The provider classes differ (${classes}). On a software device the CPU does the NIC’s work, so neither speed nor CPU time compares across classes.`,
    );
  for (const transport of TRANSPORTS) {
    const links = groupsOf(runs, (run) => {
      const link = run.result?.transports[transport] ? linkOfRun(run, transport) : null;
      return link === null ? NONE : transportName(transport, link);
    });
    if (links !== null)
      warnings.push(
        `Different links carried the packets of RDMA (${links}). The difference may be that of the links.`,
      );
  }
  return warnings;
}

/** Rows of `differencesOf` that describe the machine. */
const MACHINE = ['host', 'device', 'cpu', 'kernel', 'verbslab'];
/** Settings that a warning names. */
const NAMED = 5;

const titles = (rows: readonly Difference[]): string => {
  const rest = rows.length - NAMED;
  const named = rows.slice(0, rest > 0 ? NAMED : undefined).map(({ title }) => title);
  return nameList(rest > 0 ? [...named, `${rest} more`] : named);
};

/** Reasons why a difference has no single cause: sentences. */
export function conditionWarnings(differences: readonly Difference[]): string[] {
  const different = differences.filter(({ differs }) => differs);
  // Settings of different labs are different settings.
  const sameLab = different.every(({ id }) => id !== 'lab');
  const settings = different.filter(({ id }) => sameLab && id.startsWith('param.'));
  const machine = different.filter(({ id }) => MACHINE.includes(id));
  return [
    ...(settings.length > 1
      ? [
          `${settings.length} settings differ: ${titles(settings)}. The figures do not show which of them makes the difference.`,
        ]
      : []),
    ...(machine.length > 0
      ? [`The machine or its software differs: ${titles(machine)}. A difference may come from that.`]
      : []),
  ];
}

/** Runs whose figures do not cover all that they were asked for: sentences. */
export function stateNotes(runs: readonly RunRecord[]): string[] {
  return runs.flatMap(({ state, number }, i) => {
    const name = `${letterList([i])} (run ${number})`;
    if (!isFinal(state)) return [`${name} is still in progress: its figures are those of now.`];
    if (state === 'done') return [];
    return [
      `${name} ${state === 'failed' ? 'failed' : `was ${state}`}: its figures cover the time until then.`,
    ];
  });
}
