import { findLab, LABS } from '@verbslab/labs';
import { CAPABILITY_TEXT, trackTitle, type LabDescription, type Role } from '@verbslab/protocol';
import { Command } from 'commander';
import { coverageJson, coverageText, readTopics, topicsOf } from './coverage.js';
import { bold, muted, print, printJson, table } from './terminal.js';

/** Parameters of a lab with default and meaning, as rows. */
function paramRows({ params }: LabDescription): string[][] {
  const properties = Object.entries((params.properties ?? {}) as Record<string, Record<string, unknown>>);
  return properties.map(([name, { default: value, unit, title, description, enum: choices }]) => [
    `    ${name}`,
    `${JSON.stringify(value)}${typeof unit === 'string' ? ` ${unit}` : ''}`,
    Array.isArray(choices)
      ? choices.join(', ')
      : typeof description === 'string'
        ? description
        : ((title as string | undefined) ?? ''),
  ]);
}

/** Help of a lab: its title and question, then each parameter with default and meaning. */
export function describeLab(lab: LabDescription): string {
  const { id, question, rules = [] } = lab;
  const rows = paramRows(lab);
  const between = rules.flatMap(({ param, bound, of }) =>
    'param' in of
      ? [
          `    ${param} is at ${bound === 'at-most' ? 'most' : 'least'} ${of.times === undefined ? '' : `${of.times} × `}${of.param}.`,
        ]
      : [],
  );
  return [`  ${id} (${lab.title}): ${question}`, ...(rows.length > 0 ? [table(rows)] : []), ...between].join(
    '\n',
  );
}

const capabilities = ({ needs }: LabDescription): string =>
  needs.map((capability) => CAPABILITY_TEXT[capability]).join(', ');

const countText = ({ count }: Role): string =>
  count === undefined
    ? ''
    : typeof count === 'number'
      ? ` (${count})`
      : ` (as many as “${count.param}” says)`;

function listText(): string {
  const tracks = [...new Set(LABS.map(({ description }) => trackTitle(description.track)))];
  const widths: number[] = [];
  const lines = (labs: readonly LabDescription[]): string =>
    table(
      labs.map((lab) => [
        `  ${lab.id}`,
        `${lab.minutes ?? '–'} min`,
        lab.question,
        ...(lab.simulated ? ['Simulated: it takes no device.'] : []),
        ...(lab.needs.length > 0 ? [muted(`needs ${capabilities(lab)}`)] : []),
      ]),
      [1],
      widths,
    );
  return tracks
    .map((track) => {
      const labs = LABS.flatMap(({ description }) =>
        trackTitle(description.track) === track ? [description] : [],
      );
      return `${bold(track)}\n${lines(labs)}`;
    })
    .join('\n\n');
}

/** A heading and its rows; nothing without rows. */
const part = (title: string, rows: string[][]): string[] =>
  rows.length === 0 ? [] : [`${title}\n${table(rows)}`];

function labText(lab: LabDescription): string {
  const { results: { figures = [], tables = [], curves = [] } = {}, predictions = [], variations = [] } = lab;
  const found = [...figures, ...tables, ...curves];
  return [
    `${bold(lab.title)}  ${muted(`${trackTitle(lab.track)}, ${lab.minutes ?? '–'} min`)}\n${lab.question}`,
    lab.summary,
    ...part('Parameters', paramRows(lab)),
    ...part(
      'Variations',
      variations.map(({ name, title, text = '' }) => [`    ${name}`, title, text]),
    ),
    ...part(
      'Endpoints',
      lab.roles.map((role) => [`    ${role.name}${countText(role)}`, role.text ?? role.title]),
    ),
    ...part(
      'Predictions',
      predictions.map(({ id, text }) => [`    ${id}`, text]),
    ),
    ...part(
      'Results',
      found.map(({ name, label }) => [`    ${name}`, label]),
    ),
    ...part(
      'Checks',
      lab.checks.map(({ id, text }) => [`    ${id}`, text]),
    ),
    ...(lab.needs.length > 0 ? [`Needs ${capabilities(lab)}.`] : []),
  ].join('\n\n');
}

export function labsCommand(): Command {
  return new Command('labs')
    .description('list the labs by track, or describe one')
    .argument('[lab]', 'describe only this lab')
    .option('--coverage', 'list the topics that the labs cover, or those of one lab, and where each is found')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  verbslab labs
  verbslab labs bulk
  verbslab labs --coverage
  verbslab labs bulk --coverage
  verbslab labs --json | jq -r '.labs[].id'`,
    )
    .action((id: string | undefined, { json, coverage }: { json?: boolean; coverage?: boolean }) => {
      if (coverage) {
        const all = readTopics();
        const topics = id === undefined ? all : topicsOf(all, findLab(id));
        if (json) printJson(coverageJson(topics));
        else print(coverageText(topics));
      } else if (id === undefined && json) printJson({ labs: LABS.map(({ description }) => description) });
      else if (id === undefined) print(listText());
      else if (json) printJson(findLab(id).description);
      else print(labText(findLab(id).description));
    });
}
