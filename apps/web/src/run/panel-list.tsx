'use client';
import { isSimulation } from '@verbslab/protocol';
import type { ComponentType } from 'react';
import { lazyKey, lazyPart } from '../connection/lazy-part';
import { cpuTitle } from '../model/cpu-title';
import type { PanelSpec } from '../model/layout';
import type { RunModel } from '../model/run-model';
import type { PanelContentProps } from '../parts/run/panel-content';
import { PanelSkeleton } from './panels/waiting';

export interface PanelDef extends PanelSpec {
  title: string;
  /** Title that depends on the run. */
  titleIn?: (model: RunModel) => string;
  /** True for a panel of every lab. */
  always?: boolean;
  /** False while the run has nothing for the panel: the page is then without it. It counts when the run's state changes. */
  wanted?: (model: RunModel) => boolean;
  /** True for a chart, which has a table behind it and shows the provider class. */
  chart: boolean;
  /** True if the panel is as high as its content where panels are below each other. */
  text?: boolean;
  /** True if the panel is as high as its content until the reader resizes it. */
  fits?: boolean;
  Content: ComponentType<PanelContentProps>;
  Key?: ComponentType;
}

const panel = (load: () => Promise<{ default: ComponentType<PanelContentProps> }>) =>
  lazyPart(async () => (await load()).default, PanelSkeleton);

// The code of a panel is loaded when it is first shown, not with the page.
const charts = () => import('./panels/charts');
const Goodput = lazyPart(async () => (await charts()).Goodput, PanelSkeleton);
const Cpu = lazyPart(async () => (await charts()).Cpu, PanelSkeleton);
const CpuKey = lazyKey(async () => (await charts()).CpuKey);
const recorded = () => import('./panels/recorded');
const Counters = lazyPart(async () => (await recorded()).Counters, PanelSkeleton);
const Problems = lazyPart(async () => (await recorded()).Problems, PanelSkeleton);

const MACHINE: PanelDef = {
  id: 'machine',
  title: 'Machine',
  always: true,
  // A simulated run has no verbs objects.
  wanted: ({ record, simulations, endpoints }) =>
    (simulations.length === 0 || endpoints.size > 0) && !isSimulation(record),
  chart: true,
  text: true,
  fits: true,
  span: 12,
  height: 440,
  Content: lazyPart(async () => (await recorded()).Machine, PanelSkeleton),
};

const POLICIES: PanelDef = {
  id: 'policies',
  title: 'Policies of queue pairs',
  always: true,
  wanted: ({ policies }) => policies.size > 0,
  chart: true,
  text: true,
  span: 12,
  height: 368,
  Content: panel(() => import('./panels/policies')),
};

/** True if a lab that watches these ids has the panel on its run page. */
export const isWatched = ({ id, always = false }: PanelDef, watch: readonly string[]): boolean =>
  always || watch.includes(id);

/** Panels that a measuring lab can have, in reading order. A panel is a file in panels/ and an entry here. */
export const PANELS: readonly PanelDef[] = [
  {
    id: 'fabric',
    title: 'Fabric, simulated',
    chart: true,
    text: true,
    fits: true,
    span: 12,
    height: 640,
    Content: panel(() => import('./panels/fabric')),
  },
  {
    id: 'findings',
    title: 'What the figures mean',
    chart: false,
    text: true,
    span: 12,
    height: 400,
    Content: panel(() => import('./panels/findings')),
  },
  {
    id: 'goodput',
    title: 'Goodput',
    chart: true,
    span: 7,
    height: 272,
    Content: Goodput,
    Key: lazyKey(async () => (await charts()).StartUpKey),
  },
  {
    id: 'cost',
    title: 'CPU seconds per GB',
    chart: true,
    text: true,
    span: 5,
    height: 272,
    Content: lazyPart(async () => (await charts()).Cost, PanelSkeleton),
  },
  MACHINE,
  POLICIES,
  {
    id: 'cpu',
    title: 'CPU, both ends',
    titleIn: cpuTitle,
    chart: true,
    span: 7,
    height: 272,
    Content: Cpu,
    Key: CpuKey,
  },
  {
    id: 'problems',
    title: 'Errors',
    chart: false,
    text: true,
    span: 5,
    height: 272,
    Content: Problems,
  },
  {
    id: 'latency',
    title: 'Latency',
    chart: true,
    span: 7,
    height: 384,
    Content: lazyPart(async () => (await charts()).Latency, PanelSkeleton),
  },
  {
    id: 'checks',
    title: 'Checks',
    chart: false,
    text: true,
    span: 5,
    height: 384,
    Content: panel(() => import('./panels/checks')),
  },
  {
    id: 'completions',
    title: 'Completions',
    chart: false,
    span: 7,
    height: 304,
    Content: lazyPart(async () => (await recorded()).Completions, PanelSkeleton),
  },
  {
    id: 'counters',
    title: 'Counters',
    chart: false,
    span: 5,
    height: 304,
    Content: Counters,
  },
  {
    id: 'packets',
    title: 'Packets',
    chart: false,
    span: 12,
    height: 480,
    Content: lazyPart(async () => (await recorded()).Packets, PanelSkeleton),
  },
  {
    id: 'verbs',
    title: 'Verbs calls',
    chart: false,
    span: 12,
    height: 304,
    Content: lazyPart(async () => (await recorded()).Verbs, PanelSkeleton),
  },
];

const completions: PanelDef = PANELS.find(({ id }) => id === 'completions')!;
const packets: PanelDef = PANELS.find(({ id }) => id === 'packets')!;

/** Panels of a program under `verbslab exec`, in reading order. */
export const PROGRAM_PANELS: readonly PanelDef[] = [
  {
    id: 'points',
    title: 'Points of the task',
    chart: false,
    text: true,
    span: 12,
    height: 264,
    Content: panel(() => import('./panels/points')),
  },
  MACHINE,
  POLICIES,
  {
    id: 'queues',
    title: 'Queues, from the device',
    chart: true,
    text: true,
    span: 12,
    height: 304,
    Content: panel(() => import('./panels/queues')),
  },
  {
    id: 'objects',
    title: 'Objects',
    chart: false,
    span: 7,
    height: 400,
    Content: panel(() => import('./panels/objects')),
  },
  {
    id: 'problems',
    title: 'Errors and misuse',
    chart: false,
    text: true,
    span: 5,
    height: 400,
    Content: Problems,
  },
  {
    id: 'output',
    title: 'Output',
    chart: false,
    span: 12,
    height: 264,
    Content: panel(() => import('../parts/run/output')),
  },
  {
    id: 'moved',
    title: 'Payload of completed requests',
    chart: true,
    span: 6,
    height: 288,
    Content: Goodput,
  },
  {
    id: 'cpu',
    title: 'CPU',
    chart: true,
    span: 6,
    height: 288,
    Content: Cpu,
    Key: CpuKey,
  },
  {
    id: 'request-latency',
    title: 'Latency of requests',
    chart: true,
    text: true,
    span: 12,
    height: 432,
    Content: panel(() => import('./panels/request-latency')),
  },
  { ...completions, span: 6, height: 320 },
  {
    id: 'traffic',
    title: 'Message matrix',
    chart: false,
    span: 6,
    height: 320,
    Content: panel(() => import('./panels/traffic')),
  },
  {
    id: 'work',
    title: 'Work requests',
    chart: false,
    span: 12,
    height: 320,
    Content: panel(() => import('./panels/work')),
  },
  packets,
  {
    id: 'counters',
    title: 'Counters',
    chart: false,
    span: 12,
    height: 360,
    Content: Counters,
  },
];
