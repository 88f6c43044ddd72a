'use client';
import type { LabDescription, ParamRule } from '@verbslab/protocol';
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { fieldsOf, initialDraft, type Draft, type Field } from '../../model/fields';
import { boundFields, readForm } from './form-reading';
import { placesFromQuery, useChosenDevices } from './places';

const NO_RULES: readonly ParamRule[] = [];

/** Values that a link brings ("run again with these"), as far as the form knows them. */
export function valuesFromQuery(query: URLSearchParams, fields: readonly Field[]): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const f of fields) {
    const v = query.get(f.name);
    if (v === null) continue;
    out[f.name] =
      f.kind === 'switch' ? v === 'true' : f.kind === 'choice' || f.kind === 'text' ? v : Number(v);
  }
  return out;
}

const never = () => () => undefined;
/** The query of the address. Empty while the page is built, so that the form is in the HTML and nothing moves. */
export function useInitialQuery(): string {
  return useSyncExternalStore(
    never,
    () => location.search,
    () => '',
  );
}

/** The parameters and places of a lab's form: what was asked, what is wrong with it, and how to change it. */
export function useLabForm(lab: LabDescription, query: string) {
  const all = useMemo(() => fieldsOf(lab.params), [lab]);
  const [edits, setEdits] = useState<Draft>({});
  const draft = useMemo<Draft>(
    () => ({ ...initialDraft(all, valuesFromQuery(new URLSearchParams(query), all)), ...edits }),
    [all, query, edits],
  );
  const [moved, setMoved] = useState<Record<string, string>>({});
  const chosen = useMemo(
    () => ({ ...placesFromQuery(new URLSearchParams(query), lab), ...moved }),
    [query, lab, moved],
  );
  const devices = useChosenDevices(lab, chosen);
  const rules = lab.rules ?? NO_RULES;
  const fields = useMemo(() => boundFields(all, rules, draft, devices), [all, rules, draft, devices]);
  const reading = useMemo(() => readForm(fields, draft, rules), [fields, draft, rules]);
  const keep = useCallback(() => {
    setEdits(draft);
    setMoved(chosen);
  }, [draft, chosen]);
  /** All parameters as a variation has them; without one, their defaults. */
  const variationDraft = (params: Readonly<Record<string, unknown>>): Draft => initialDraft(all, params);
  return {
    fields,
    draft,
    devices,
    chosen,
    reading,
    wrong: Object.keys(reading.errors).length > 0,
    variationDraft,
    /** Keeps everything as it is, whatever the address asks for from now on. */
    keep,
    setField: (name: string, value: string | boolean) => setEdits((d) => ({ ...d, [name]: value })),
    setAll: setEdits,
    setPlace: (role: string, place: string) => setMoved((m) => ({ ...m, [role]: place })),
  };
}

export type LabForm = ReturnType<typeof useLabForm>;
