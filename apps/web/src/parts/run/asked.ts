import { LOCAL_HOST, type RunRecord } from '@verbslab/protocol';
import { labHref } from '../../addresses';

/** Address of the lab's form with the parameters of this run, and its places if an endpoint was on another host. */
export function askedHref(record: Pick<RunRecord, 'lab' | 'parameters' | 'imported' | 'result'>): string {
  // `local` of an imported run is another machine.
  const places = record.imported ? [] : (record.result?.endpoints ?? []);
  const elsewhere = places.some(({ host }) => host !== LOCAL_HOST);
  return labHref(
    record.lab,
    record.parameters,
    elsewhere
      ? places.map(({ role, host, device }): [string, string] => [`on.${role}`, `${host}/${device}`])
      : [],
  );
}
