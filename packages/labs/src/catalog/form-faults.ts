/** Contradictions within a lab's declaration. A test looks for them in every lab; a run trusts the declaration. */
import { MAX_OF_ROLE, zLabDescription, type LabDescription, type ResultSpecs } from '@verbslab/protocol';
import type { Lab } from '../form/define.js';
import { HEADLINE_COLUMNS } from '../form/headline.js';
import { drawSelfChecks } from '../form/self-checks.js';

const twice = (what: string, names: readonly string[]): string[] =>
  names
    .filter((name, i) => names.indexOf(name) !== i)
    .map((name) => `The ${what} “${name}” is declared twice.`);

function roleFaults({ roles, params }: LabDescription): string[] {
  const properties = (params.properties ?? {}) as Record<
    string,
    { type?: string; minimum?: number; maximum?: number }
  >;
  return roles.flatMap(({ name, count }) => {
    if (typeof count !== 'object') return [];
    const param = properties[count.param];
    if (param?.type !== 'integer')
      return [`The count of “${name}” names no whole-number parameter: “${count.param}”.`];
    return (param.minimum ?? 0) < 1 || (param.maximum ?? Infinity) > MAX_OF_ROLE
      ? [
          `The parameter “${count.param}” counts endpoints, so it must go from 1 or more to at most ${MAX_OF_ROLE}.`,
        ]
      : [];
  });
}

/** Each is valid by itself, and another set of parameters than the defaults and than the variations before it. */
function variationFaults(lab: Lab): string[] {
  const known = new Map([[JSON.stringify(lab.parse({})), 'the defaults']]);
  return (lab.description.variations ?? []).flatMap(({ name, params }) => {
    try {
      const values = JSON.stringify(lab.parse(params));
      const same = known.get(values);
      known.set(values, `“${name}”`);
      return same === undefined ? [] : [`The variation “${name}” is the same as ${same}.`];
    } catch (error) {
      return [`The variation “${name}” does not fit: ${(error as Error).message}`];
    }
  });
}

/** Options of a question before a step, and whom and what their conditions count. */
function questionFaults({ steps = [], roles }: LabDescription): string[] {
  return steps.flatMap(({ id, question }) => {
    if (!question) return [];
    const conditions = question.options.flatMap(({ when = [] }) => when);
    const named = `The question before “${id}”`;
    return [
      ...twice(
        `option before “${id}”`,
        question.options.map((one) => one.id),
      ),
      ...(conditions.length === 0 ? [`${named} has no option that a run can show to be right.`] : []),
      ...question.options.flatMap(({ id: option, when }) =>
        when?.every(({ min = 0 }) => min === 0)
          ? [`${named} has an option that a run without records would show to be right: “${option}”.`]
          : [],
      ),
      ...conditions.flatMap(({ at, min, max }) => [
        ...(at === undefined || roles.some(({ name }) => name === at)
          ? []
          : [`${named} counts at “${at}”, which is no role.`]),
        ...((min ?? 0) > (max ?? Infinity) || (min === undefined && max === undefined)
          ? [`${named} has a condition that always or never holds.`]
          : []),
      ]),
    ];
  });
}

/** A flow of the drawing whose host is not there. */
function fabricFaults({ fabric }: LabDescription): string[] {
  if (fabric === undefined) return [];
  const hosts = fabric.hosts * (fabric.tiers[0] ?? 1);
  return (fabric.flows ?? []).some((ends) => ends.some((host) => host >= hosts))
    ? [`A flow of its fabric has a host that is not among the ${hosts}.`]
    : [];
}

/** Names in the headline and in the bars of a table that no result or column has, and more columns than fit. */
function resultFaults({ headline, figures = [], tables = [], curves = [] }: ResultSpecs): string[] {
  const missing = (what: string, names: readonly string[], of: readonly { name: string }[]): string[] =>
    names
      .filter((name) => !of.some((one) => one.name === name))
      .map((name) => `${what} names “${name}”, which is not declared.`);
  const ofBars = tables.flatMap(({ name, columns, bars }) =>
    bars ? missing(`The bars of “${name}”`, [bars.name, bars.length, bars.by], columns) : [],
  );
  const of = 'The headline';
  if (headline === undefined) return ofBars;
  if ('curve' in headline) return [...ofBars, ...missing(of, [headline.curve], curves)];
  if ('figures' in headline) return [...ofBars, ...missing(of, headline.figures, figures)];
  const { table, columns = [] } = headline;
  const all = tables.find(({ name }) => name === table)?.columns ?? [];
  return [
    ...ofBars,
    ...missing(of, [table], tables),
    ...missing(of, columns, all),
    ...(columns.length > HEADLINE_COLUMNS ? [`The headline has more than ${HEADLINE_COLUMNS} columns.`] : []),
  ];
}

export function formFaults(lab: Lab): string[] {
  const { description } = lab;
  const { results = {}, predictions = [], variations = [], roles, checks, steps = [] } = description;
  const { figures = [], tables = [], curves = [] } = results;
  const read = zLabDescription.safeParse(JSON.parse(JSON.stringify(description)));
  return [
    ...(read.success ? [] : [`Its description is not one: ${read.error.message}`]),
    ...twice(
      'result',
      [...figures, ...tables, ...curves].map(({ name }) => name),
    ),
    // Each is a region of the page, which readers of the screen find by its label.
    ...twice(
      'label of a table or curve',
      [...tables, ...curves].map(({ label }) => label),
    ),
    ...tables.flatMap(({ columns }) =>
      twice(
        'column',
        columns.map(({ name }) => name),
      ),
    ),
    ...curves.flatMap(({ series = [] }) =>
      series.flatMap(({ like, name }, i) =>
        like === undefined || series.slice(0, i).some((one) => one.name === like && one.like === undefined)
          ? []
          : [`The series “${name}” is like “${like}”, which is no earlier series with a color of its own.`],
      ),
    ),
    ...curves.flatMap(({ series = [] }) =>
      twice(
        'series',
        series.map(({ name }) => name),
      ),
    ),
    ...twice(
      'prediction',
      predictions.map(({ id }) => id),
    ),
    ...twice(
      'variation',
      variations.map(({ name }) => name),
    ),
    ...twice(
      'role',
      roles.map(({ name }) => name),
    ),
    ...twice(
      'check',
      checks.map(({ id }) => id),
    ),
    ...twice(
      'step',
      steps.map(({ id }) => id),
    ),
    ...twice(
      'self-check',
      lab.selfChecks.map(({ id }) => id),
    ),
    ...resultFaults(results),
    ...roleFaults(description),
    ...(description.simulated && (roles.length > 0 || description.needs.length + description.wants.length > 0)
      ? ['It is simulated, and yet has endpoints or wants something of a device.']
      : []),
    ...fabricFaults(description),
    ...questionFaults(description),
    ...(description.intends ?? []).flatMap(({ role }) =>
      roles.some(({ name }) => name === role) ? [] : [`It intends refusals at “${role}”, which is no role.`],
    ),
    ...predictions.flatMap((one) =>
      one.kind === 'number' && one.figure !== undefined && !figures.some(({ name }) => name === one.figure)
        ? [`The prediction “${one.id}” names no figure of the lab: “${one.figure}”.`]
        : [],
    ),
    ...variationFaults(lab),
    ...lab.selfChecks.flatMap((spec) => {
      if (spec.kind === 'choice' && !spec.options.some(({ id }) => id === spec.answer))
        return [`The answer of “${spec.id}” is none of its options.`];
      const bad = [1, 2, 3, 4, 5].some((seed) =>
        drawSelfChecks([spec], seed).some((one) => one.kind === 'number' && !Number.isFinite(one.answer)),
      );
      return bad ? [`The answer of “${spec.id}” is no number.`] : [];
    }),
  ];
}
