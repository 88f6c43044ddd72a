import { choiceCheck, numberCheck } from '../form/self-checks.js';

const share = (gbps: number, ports: number, flows: number): number => gbps / (ports * flows);

export const PFC_VICTIM_QUESTIONS = [
  numberCheck({
    id: 'share',
    numbers: { gbps: [40, 100, 400], ports: [2, 4, 5], flows: [2, 4, 8] },
    text: ({ gbps, ports, flows }) =>
      `${ports} ports of a switch send to one link of ${gbps} Gb/s, and PFC paces them. What does each flow of a port with ${flows} flows get?`,
    answer: ({ gbps, ports, flows }) => share(gbps, ports, flows),
    unit: 'Gb/s',
    worked: ({ gbps, ports, flows }) =>
      `PFC divides the link among the ports: ${gbps} / ${ports} = ${gbps / ports} Gb/s. The flows of a port share that: ${gbps / ports} / ${flows} = ${share(gbps, ports, flows)} Gb/s.`,
  }),
  choiceCheck({
    id: 'why',
    text: 'Why does the victim slow down, although its own way is free?',
    options: [
      { id: 'class', text: 'Its uplink is paused for the whole traffic class' },
      { id: 'marks', text: 'Its packets are marked and DCQCN slows it down' },
      { id: 'route', text: 'Its packets take a detour around the busy switch' },
    ],
    answer: 'class',
    worked: 'A PAUSE names a class, not a flow or a destination.',
  }),
];
