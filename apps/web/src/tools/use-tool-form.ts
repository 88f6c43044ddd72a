'use client';
import type { Tool } from '@verbslab/labs/tools';
import { useMemo, useState } from 'react';
import { fieldsOf, initialDraft, type Draft, type Field } from '../model/fields';
import { readForm } from '../parts/forms/form-reading';
import { useInitialQuery, valuesFromQuery } from '../parts/forms/use-lab-form';

/** Field for an option of `verbslab exec`, not of the program. */
const LINK: Field = {
  name: 'link',
  title: 'Path of packets',
  description:
    'Shared memory between the two processes, or UDP through the kernel, where tcpdump -i lo sees them.',
  kind: 'choice',
  choices: ['auto', 'udp'],
  choiceTitles: { auto: 'Around the kernel', udp: 'Through the kernel' },
  preset: 'auto',
};

/** Fields of a tool: their values, their errors, and a function to change them. */
export function useToolForm(tool: Tool) {
  const query = useInitialQuery();
  const fields = useMemo(
    () => [
      ...fieldsOf(tool.params).map((field) => ({ ...field, flag: tool.flags[field.name] ?? '' })),
      ...(tool.roles.length > 1 ? [LINK] : []),
    ],
    [tool],
  );
  const [edits, setEdits] = useState<Draft>({});
  const draft = useMemo<Draft>(
    () => ({ ...initialDraft(fields, valuesFromQuery(new URLSearchParams(query), fields)), ...edits }),
    [fields, query, edits],
  );
  const reading = useMemo(() => readForm(fields, draft, tool.rules), [fields, draft, tool.rules]);
  const { link = 'auto', ...params } = reading.values;
  return {
    fields,
    draft,
    errors: reading.errors,
    wrong: Object.keys(reading.errors).length > 0,
    params,
    link: link === 'udp' ? ('udp' as const) : ('auto' as const),
    setField: (name: string, value: string | boolean) => setEdits((d) => ({ ...d, [name]: value })),
  };
}
