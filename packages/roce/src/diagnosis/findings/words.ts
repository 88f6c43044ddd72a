/** Numbers and names as the sentences of a diagnosis have them. */
import { hexNumber } from '../../base/bytes.js';
import type { EndpointRef } from '../../models/types.js';

export const count = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`;

export const was = (n: number): string => (n === 1 ? 'was' : 'were');

function scaled(value: number, units: readonly [number, string][]): string {
  const [size, unit] = units.find(([at]) => value >= at) ?? units.at(-1)!;
  const n = value / size;
  const digits = Number.isInteger(n) || n >= 1000 ? count(Math.round(n)) : String(Number(n.toPrecision(3)));
  return `${digits} ${unit}`;
}

/** `67.1 ms` */
export const time = (ns: number): string =>
  scaled(ns, [
    [1e9, 's'],
    [1e6, 'ms'],
    [1e3, 'µs'],
    [1, 'ns'],
  ]);

/** `16 KiB` */
export const bytes = (n: number): string =>
  scaled(n, [
    [2 ** 30, 'GiB'],
    [2 ** 20, 'MiB'],
    [2 ** 10, 'KiB'],
    [1, 'B'],
  ]);

export const rate = (gbps: number): string =>
  gbps >= 0.1 ? `${Number(gbps.toPrecision(3))} Gb/s` : `${Number((gbps * 1000).toPrecision(3))} Mb/s`;

export const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;

export const end = ({ ip, qpn, name }: EndpointRef): string =>
  `${name ?? ip}${qpn === undefined ? '' : ` QP ${hexNumber(qpn, 6)}`}`;
