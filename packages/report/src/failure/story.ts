/** The story of a failed run in a report. */
import { formatCount, plural, type TableView } from '@verbslab/labs';
import {
  CAUSES,
  findingText,
  isFinal,
  isProgram,
  whyNoLines,
  type EndpointFault,
  type RunRecord,
} from '@verbslab/protocol';
import { standingText, standstill, stillPlaceText, type StillAnswer } from '../standstill/index.js';
import type { Evidence } from './evidence.js';
import { isLeft, leadOf, problemList, type ProblemEvent, type ProblemOf } from './problem-list.js';
import { cureOf, eventText, incidentTitle } from './problem-text.js';

export interface ProblemStory {
  what: string;
  /** Reason and cure: a sentence or two each. */
  more: string[];
  /** Endpoints and time. */
  place: string;
  /** Further reports of the same problem. */
  reports: string[];
}

/** What a program waits for, or waited for when it ended: a sentence each. */
export interface StandstillStory {
  what: string;
  /** What was recorded, the cure, and the places in the program. */
  more: string[];
  ruledOut: string[];
}

export interface FailureStory {
  standstill: StandstillStory | null;
  problems: ProblemStory[];
  /** Problems that are not in the list, with the reason. */
  remarks: string[];
  /** Objects that were not destroyed. */
  left: TableView | null;
  /** First packet that shows an error, or the number of packets if there is none. */
  packet: string | null;
  output: { text: string; note: string | null } | null;
}

/** Most problems in a report, and most reports of each. */
const MAX_TOLD = 100;
const MAX_REPORTS = 20;
/** Most characters of a program's output. The last ones are kept: they show how it ended. */
const MAX_OUTPUT = 32 * 1024;

const seconds = (ns: number): string => `${(ns / 1e9).toFixed(3)} s`;

const faultText = ({ count, what, text, name, endpoint }: EndpointFault): string =>
  `${formatCount(count)} ${what}. ${text} (${[endpoint, name].filter(Boolean).join(', ')})`;

/** The first entries, and the number of those left out. */
const some = (list: readonly string[]): string[] =>
  list.length <= MAX_REPORTS
    ? [...list]
    : [...list.slice(0, MAX_REPORTS), `${formatCount(list.length - MAX_REPORTS)} more.`];

function placeOf(parts: readonly ProblemEvent[]): string {
  if (parts.length === 0) return '';
  const endpoints = [...new Set(parts.flatMap(({ endpoint }) => endpoint ?? []))];
  return [...endpoints, seconds(Math.min(...parts.map(({ t }) => t)))].join(', ');
}

function storyOf(group: ProblemOf): ProblemStory {
  const { failed, refused, parts, faults, cause } = group;
  const lead = leadOf(group);
  if (lead === null) {
    const [only, ...others] = faults;
    if (others.length === 0) return { what: faultText(only!), more: [], place: '', reports: [] };
    return { what: CAUSES[cause!], more: [], place: '', reports: some(faults.map(faultText)) };
  }
  const told = [failed, refused].filter((one) => one !== null);
  const rest = parts.filter((part) => part !== lead && !told.some((one) => one === part));
  const incident = told.length > 0;
  return {
    what: incident ? `${incidentTitle(group)}.` : eventText(lead),
    more: [
      ...told.map(findingText),
      ...[incident ? (refused?.cure ?? failed?.cure) : cureOf(lead)].filter((one) => one !== undefined),
    ],
    place: placeOf(parts),
    reports: some([
      ...rest.map((part) => [eventText(part), cureOf(part)].filter(Boolean).join(' ')),
      ...faults.map(faultText),
    ]),
  };
}

const LEFT = 'Objects left behind';

/**
 * Leftover objects from the report of each process. If there is no such report: the objects that were alive at the end.
 */
function leftOf({ parts }: Pick<ProblemOf, 'parts'>, { live }: Evidence): TableView | null {
  const words = { numeric: false, unit: '' };
  if (parts.length > 0)
    return {
      name: 'left',
      label: LEFT,
      columns: [
        { ...words, name: 'what', label: 'What' },
        { name: 'count', label: 'Objects', unit: '', numeric: true },
        { ...words, name: 'where', label: 'Made by' },
        { ...words, name: 'cure', label: 'What to do' },
      ],
      rows: parts.flatMap((p) =>
        p.kind === 'finding' ? [[p.object, formatCount(p.count), p.where ?? 'not known', p.cure]] : [],
      ),
    };
  if (live.size === 0) return null;
  return {
    name: 'left',
    label: 'Objects alive at the end',
    text: 'They were alive when the record ended. A process that is killed destroys nothing.',
    columns: [
      { ...words, name: 'kind', label: 'Kind' },
      { name: 'count', label: 'Objects', unit: '', numeric: true },
    ],
    rows: [...live].map(([kind, n]) => [kind, formatCount(n)]),
  };
}

function packetOf(run: RunRecord, { packets }: Evidence, groups: readonly ProblemOf[]): string | null {
  // Errors that a lab causes on purpose are in its packets too.
  if (!isProgram(run) || (run.state !== 'failed' && groups.length === 0)) return null;
  const bad = packets.first(groups);
  if (bad === null)
    return packets.seen === 0
      ? null
      : `None of the ${plural(packets.seen, 'captured packet')} tells of an error.`;
  const { number, t, src, dst, info } = bad;
  return `No. ${formatCount(number)} at ${seconds(t)}, from ${src} to ${dst}: ${info}`;
}

function outputOf({ output }: Evidence): FailureStory['output'] {
  const { text } = output;
  if (text.trim() === '') return null;
  const shown = text.slice(-MAX_OUTPUT);
  const cut = shown.length < text.length;
  // The partial first line is left out: without its start, a line may say something else.
  const from = cut ? shown.indexOf('\n') + 1 : 0;
  const note = `The last ${formatCount(shown.length - from)} of ${formatCount(text.length)} characters that were kept.`;
  return { text: shown.slice(from).trimEnd(), note: cut ? note : null };
}

const standstillStory = (answer: StillAnswer): StandstillStory => ({
  what: `${standingText(answer)}: ${answer.sentence}.`,
  more: [...answer.saw, answer.cure, ...answer.places.map(stillPlaceText)],
  ruledOut: answer.ruledOut,
});

function standstillOf(run: RunRecord, { stills }: Evidence): StandstillStory | null {
  const answer = isProgram(run) ? standstill(stills, stills.latest, { ended: isFinal(run.state) }) : null;
  return answer?.state === 'stuck' ? standstillStory(answer) : null;
}

export function failureStory(run: RunRecord, evidence: Evidence): FailureStory {
  const { groups, intended, intendedNames, flushes } = problemList(evidence);
  // Failed checks have their own place in a report.
  const told = groups.filter(
    (group) => !isLeft(group) && !(group.parts.length > 0 && group.parts.every((p) => p.kind === 'check')),
  );
  const left = groups.filter(isLeft).flatMap(({ parts }) => parts);
  const places = groups.flatMap(({ parts }) => parts.map((e) => (e.kind === 'finding' ? e.place : null)));
  const failed = run.state === 'failed';
  const noLines = whyNoLines(places);
  return {
    standstill: standstillOf(run, evidence),
    problems: told.slice(0, MAX_TOLD).map(storyOf),
    remarks: [
      ...(failed && told.length === 0 ? ['No call, work request or counter reported an error.'] : []),
      ...(told.length > MAX_TOLD
        ? [`${formatCount(told.length - MAX_TOLD)} more problems are not told.`]
        : []),
      ...(intended > 0 && (failed || told.length > 0)
        ? [`Not listed, because this lab causes them on purpose: ${intendedNames.join(', ')}.`]
        : []),
      ...(flushes.length > 0 && told.length > 0
        ? [
            `Work requests on ${plural(flushes.length, 'QP')} that were still queued ended with WR_FLUSH_ERR when the QP went to ERR.`,
          ]
        : []),
      ...(noLines === null ? [] : [noLines]),
    ],
    left: isProgram(run) ? leftOf({ parts: left }, evidence) : null,
    packet: packetOf(run, evidence, told),
    output: isProgram(run) ? outputOf(evidence) : null,
  };
}
