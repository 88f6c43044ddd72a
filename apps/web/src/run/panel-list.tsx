'use client';
import type { WatchView } from '@verbslab/protocol';
import type { ComponentType } from 'react';
import { lateKey, latePart } from '../connection/late-part';
import { cpuTitle } from '../model/cpu-title';
import type { PanelSpec } from '../model/layout';
import type { RunModel } from '../model/run-model';
import type { PanelContentProps } from '../parts/run/panel-content';
import { PanelSkeleton } from './panels/waiting';

export interface PanelDef extends PanelSpec {
  title: string;
  /** Where the title depends on the run. */
  titleIn?: (model: RunModel) => string;
  /** Shown when the lab watches one of these; absent: on every page. */
  watch?: WatchView | readonly WatchView[];
  /** A chart has a table behind it and carries the provider class. */
  chart: boolean;
  /** As high as its content where panels stand one below the other. */
  text?: boolean;
  /** As high as its content until the reader resizes it. */
  fits?: boolean;
  Content: ComponentType<PanelContentProps>;
  Key?: ComponentType;
}

const panel = (load: () => Promise<{ default: ComponentType<PanelContentProps> }>) =>
  latePart(async () => (await load()).default, PanelSkeleton);

// The code of a panel comes when it is first shown, not with the page.
const Goodput = panel(() => import('./panels/goodput'));
const Findings = panel(() => import('./panels/findings'));
const StartUpKey = lateKey(async () => (await import('./panels/goodput')).StartUpKey);
const Cpu = panel(() => import('./panels/cpu'));
const CpuKey = lateKey(async () => (await import('./panels/cpu')).CpuKey);
const Cost = panel(() => import('./panels/cost'));
const Latency = panel(() => import('./panels/latency'));
const Completions = panel(() => import('./panels/completions'));
const Counters = panel(() => import('./panels/counters'));
const Packets = panel(() => import('./panels/packets'));
const Points = panel(() => import('./panels/points'));
const Checks = panel(() => import('./panels/checks'));
const Objects = panel(() => import('./panels/objects'));
const Problems = panel(() => import('./panels/problems'));
const Output = panel(() => import('../parts/run/output'));
const Work = panel(() => import('./panels/work'));
const Traffic = panel(() => import('./panels/traffic'));
const Verbs = panel(() => import('./panels/verbs'));
const Machine = panel(() => import('./panels/machine'));

const MACHINE: PanelDef = {
  id: 'machine',
  title: 'Machine',
  chart: true,
  text: true,
  fits: true,
  span: 12,
  height: 440,
  Content: Machine,
};

/** Whether the page of a run that watches these views has the panel. */
export const isWatched = ({ watch }: PanelDef, views: readonly WatchView[]): boolean =>
  watch === undefined || [watch].flat().some((view) => views.includes(view));

/** All panels a measuring lab can have, in reading order. One file each in panels/. */
export const PANELS: readonly PanelDef[] = [
  {
    id: 'findings',
    title: 'What the figures mean',
    watch: 'throughput',
    chart: false,
    text: true,
    span: 12,
    height: 400,
    Content: Findings,
  },
  {
    id: 'goodput',
    title: 'Goodput',
    watch: 'throughput',
    chart: true,
    span: 7,
    height: 272,
    Content: Goodput,
    Key: StartUpKey,
  },
  {
    id: 'cost',
    title: 'CPU seconds per GB',
    watch: 'cpu',
    chart: true,
    text: true,
    span: 5,
    height: 272,
    Content: Cost,
  },
  MACHINE,
  {
    id: 'cpu',
    title: 'CPU, both ends',
    titleIn: cpuTitle,
    watch: 'cpu',
    chart: true,
    span: 7,
    height: 272,
    Content: Cpu,
    Key: CpuKey,
  },
  {
    id: 'problems',
    title: 'Errors',
    watch: ['counters', 'misuse'],
    chart: false,
    text: true,
    span: 5,
    height: 272,
    Content: Problems,
  },
  { id: 'latency', title: 'Latency', watch: 'latency', chart: true, span: 7, height: 384, Content: Latency },
  {
    id: 'checks',
    title: 'Checks',
    watch: 'checks',
    chart: false,
    text: true,
    span: 5,
    height: 384,
    Content: Checks,
  },
  {
    id: 'completions',
    title: 'Completions',
    watch: 'completions',
    chart: false,
    span: 7,
    height: 304,
    Content: Completions,
  },
  {
    id: 'counters',
    title: 'Counters',
    watch: 'counters',
    chart: false,
    span: 5,
    height: 304,
    Content: Counters,
  },
  {
    id: 'packets',
    title: 'Packets',
    watch: 'packets',
    chart: false,
    span: 12,
    height: 480,
    Content: Packets,
  },
  { id: 'verbs', title: 'Verbs calls', watch: 'verbs', chart: false, span: 12, height: 304, Content: Verbs },
];

const completions: PanelDef = PANELS.find(({ id }) => id === 'completions')!;
const packets: PanelDef = PANELS.find(({ id }) => id === 'packets')!;

/** What the page of a program under `verbslab exec` shows, in reading order. */
export const PROGRAM_PANELS: readonly PanelDef[] = [
  {
    id: 'points',
    title: 'Points of the task',
    watch: 'checks',
    chart: false,
    text: true,
    span: 12,
    height: 264,
    Content: Points,
  },
  MACHINE,
  { id: 'objects', title: 'Objects', watch: 'objects', chart: false, span: 7, height: 400, Content: Objects },
  {
    id: 'problems',
    title: 'Errors and misuse',
    watch: 'misuse',
    chart: false,
    text: true,
    span: 5,
    height: 400,
    Content: Problems,
  },
  {
    id: 'output',
    title: 'Output',
    watch: 'output',
    chart: false,
    span: 12,
    height: 264,
    Content: Output,
  },
  {
    id: 'moved',
    title: 'Payload of completed requests',
    watch: 'throughput',
    chart: true,
    span: 6,
    height: 288,
    Content: Goodput,
  },
  {
    id: 'cpu',
    title: 'CPU',
    watch: 'cpu',
    chart: true,
    span: 6,
    height: 288,
    Content: Cpu,
    Key: CpuKey,
  },
  { ...completions, span: 6, height: 320 },
  {
    id: 'traffic',
    title: 'Message matrix',
    watch: 'traffic',
    chart: false,
    span: 6,
    height: 320,
    Content: Traffic,
  },
  { id: 'work', title: 'Work requests', watch: 'work', chart: false, span: 12, height: 320, Content: Work },
  packets,
  {
    id: 'counters',
    title: 'Counters',
    watch: 'counters',
    chart: false,
    span: 12,
    height: 360,
    Content: Counters,
  },
];
