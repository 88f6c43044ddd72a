/** The panel of simulated fabrics. */
import type { EmittedEvent, Simulation } from '@verbslab/protocol';
import { expect } from 'vitest';
import { fabricCurves } from '@verbslab/report/simulations';
import FabricPanel from '../../src/run/panels/fabric';
import { DONE } from '../simulated';
import { draw, fed, plain, shows, type PanelTests } from './case';

const event = (change: Partial<Simulation> = {}): EmittedEvent => ({
  kind: 'simulation',
  ...DONE,
  ...change,
});

export const FABRIC: Readonly<Record<string, PanelTests>> = {
  fabric: {
    Content: FabricPanel,
    empty: {
      running: 'Each simulation appears here when it has ended.',
      done: 'The run ended before a simulation.',
    },
    cases: {
      'says what acted first, and how far the others were from it': () => {
        const html = draw(FabricPanel, fed({ events: [event()] }));
        expect(shows(html, 'fabric-fired')).toEqual(['3', 'never']);
        expect(shows(html, 'fabric-says')).toEqual([
          'ECN marked 3 packets.',
          'PFC never fired: at most 233 KB of 1414 KB.',
        ]);
        expect(shows(html, 'fabric-of')).toEqual([
          '12 hosts, 1 switch. All times are virtual: 40.0 µs were simulated.',
        ]);
        expect(shows(html, 'fabric-samples')[0]).toContain('4 samples, thinned to 2 points');
        expect(shows(html, 'fabric-figure')).toEqual(['95.5', '11', '0', '0', '904', '911', '9.50', '11.0']);
      },
      'names rules without effect, what ended it, and broken laws': () => {
        const html = draw(FabricPanel, fed({ events: [event()] }));
        expect(shows(html, 'fabric-note')).toEqual([]);
        const result = {
          ...DONE.result!,
          stopped_by: 'memory',
          error: 'It holds more than 16 MiB.',
          notes: ['link.lose_every 1000 matched no packet.'],
        };
        expect(shows(draw(FabricPanel, fed({ events: [event({ result })] })), 'fabric-note')).toEqual([
          'It holds more than 16 MiB.',
          'link.lose_every 1000 matched no packet.',
        ]);
        const laws = { checked: 9, broken: ['Packets sent by host 0 port 0: 1 are not 2.'] };
        const broken = draw(FabricPanel, fed({ events: [event({ result: { ...result, laws } })] }));
        expect(broken).toContain('the figures are void');
        expect(shows(broken, 'fabric-note')[0]).toBe('Packets sent by host 0 port 0: 1 are not 2.');
      },
      'draws queues, rates and counts over virtual time, and nothing that is always 0': () => {
        const curves = fabricCurves(DONE);
        expect(curves.map(({ name }) => name)).toEqual(['queues', 'received', 'events']);
        expect(curves[1]!.series.map(({ label }) => label)).toEqual(['host 0', '11 other hosts']);
        expect(curves.every(({ x }) => x.label === 'Virtual time' && x.unit === 'µs')).toBe(true);
        expect(curves[0]!.series[0]!.points.map(({ y }) => y)).toEqual([500_000, 100]);
      },
      'shows the tables behind the charts': () => {
        const html = draw(FabricPanel, fed({ events: [event()] }), { table: true });
        expect(plain(html)).toContain('Virtual time');
        expect(html).toContain('data-shows="fabric-series"');
      },
      'lets the reader choose among several, and shows the last one': () => {
        const html = draw(FabricPanel, fed({ events: [event({ title: 'first' }), event({ title: '' })] }));
        expect(plain(html)).toContain('first');
        expect(html).toMatch(/<option[^>]*selected[^>]*>Simulation 2</);
      },
      'shows a simulation while it runs, each report in place of the one before': () => {
        const part = { result: null, mechanisms: [], slowdown: null, running: true as const };
        const begun = event({ ...part, series: null });
        const run = { state: 'running' as const };
        expect(plain(draw(FabricPanel, fed({ run, events: [begun] })))).toContain(
          'The simulation is running.',
        );
        const live = draw(FabricPanel, fed({ run, events: [begun, event(part), event(part)] }));
        expect(plain(live)).toContain('Simulated so far: 40.0 µs of virtual time.');
        expect(live).not.toContain('<option');
        const over = fed({ events: [begun, event(part), event({ title: '' })] });
        expect(over.simulations).toHaveLength(1);
        expect(shows(draw(FabricPanel, over), 'fabric-of')[0]).toContain('40.0 µs were simulated');
        const lost = fed({ run: { state: 'interrupted' }, events: [begun, event(part)] });
        expect(plain(draw(FabricPanel, lost))).toContain('The simulation did not end, so it has no result.');
      },
      'says that a simulation was cancelled, or takes no samples': () => {
        const cut = { result: null, mechanisms: [], slowdown: null, series: null };
        const told = plain(draw(FabricPanel, fed({ events: [event(cut)] })));
        expect(told).toContain('The simulation was cancelled, so it has no result.');
        expect(told).toContain('the scenario takes no samples');
        expect(told).not.toContain('Goodput');
      },
    },
  },
};
