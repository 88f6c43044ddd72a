'use client';
import {
  FAULT_ACTIONS,
  FaultsWordError,
  opcodeText,
  parseRule,
  ruleText,
  type FaultRule,
} from '@verbslab/protocol';
import { allOpcodes } from '@verbslab/roce';
import { Plus, X } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import { Button, IconButton } from '../../ui/button';

const WHICH = [
  { id: 'opcode', title: 'BTH opcode', hint: '0x11' },
  { id: 'psn', title: 'PSN', hint: 'any' },
  { id: 'qpn', title: 'To QP', hint: 'any' },
  { id: 'nth', title: 'Only the nth packet', hint: 'all' },
  { id: 'times', title: 'Times at most', hint: 'always' },
] as const;
const BY = { id: 'by', title: 'By', hint: '5ms' } as const;

const box =
  'num h-8 w-24 rounded-[4px] border border-line-strong bg-panel px-2 text-13 pointer-coarse:h-11 aria-invalid:border-error';

export interface RulesProps {
  rules: readonly FaultRule[];
  disabled: boolean;
  onChange: (rules: readonly FaultRule[]) => void;
}

/** Faults of certain packets. They are tried in order, before what the sliders say. */
export function Rules({ rules, disabled, onChange }: RulesProps) {
  const id = useId();
  const [action, setAction] = useState<FaultRule['action']>('drop');
  const [which, setWhich] = useState<Readonly<Record<string, string>>>({ times: '1' });
  const [wrong, setWrong] = useState<string | null>(null);
  const fields = action === 'delay' ? [BY, ...WHICH] : WHICH;

  function add(e: FormEvent) {
    e.preventDefault();
    const words = fields.flatMap((field) => {
      const value = which[field.id]?.trim() ?? '';
      return value === '' ? [] : [`${field.id}=${value}`];
    });
    try {
      onChange([...rules, parseRule(`${action}:${words.join(',')}`)]);
      setWrong(null);
    } catch (error) {
      if (!(error instanceof FaultsWordError)) throw error;
      setWrong(`${error.message}. Give ${error.expected}.`);
    }
  }
  return (
    <div>
      <h3 className="text-13 font-semibold">Rules for certain packets</h3>
      {rules.length > 0 ? (
        <ol className="mt-1">
          {rules.map((rule, i) => (
            <li key={i} className="flex items-center gap-2 text-13">
              <span className="min-w-0 flex-1 first-letter:uppercase">{ruleText(rule)}</span>
              <IconButton
                label={`Remove rule ${i + 1}`}
                disabled={disabled}
                onClick={() => onChange(rules.filter((_, at) => at !== i))}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ol>
      ) : null}
      <form onSubmit={add} className="mt-1 flex flex-wrap items-end gap-2">
        <label className="text-12 text-ink-2">
          Do
          <select
            value={action}
            onChange={(e) => setAction(e.target.value as FaultRule['action'])}
            className={`${box} block`}
          >
            {FAULT_ACTIONS.map((one) => (
              <option key={one} value={one}>
                {one.charAt(0).toUpperCase() + one.slice(1)}
              </option>
            ))}
          </select>
        </label>
        {fields.map((field) => (
          <label key={field.id} className="text-12 text-ink-2">
            {field.title}
            <input
              value={which[field.id] ?? ''}
              placeholder={field.hint}
              list={field.id === 'opcode' ? `${id}-opcodes` : undefined}
              aria-describedby={wrong ? `${id}-wrong` : undefined}
              onChange={(e) => setWhich({ ...which, [field.id]: e.target.value })}
              className={`${box} block`}
            />
          </label>
        ))}
        <datalist id={`${id}-opcodes`}>
          {allOpcodes().map(({ opcode, name }) => (
            <option key={opcode} value={opcodeText(opcode)}>
              {name}
            </option>
          ))}
        </datalist>
        <Button type="submit" disabled={disabled}>
          <Plus size={14} aria-hidden />
          Add rule
        </Button>
      </form>
      <p
        id={`${id}-wrong`}
        role={wrong ? 'alert' : undefined}
        className="text-13 text-error-ink empty:hidden"
      >
        {wrong ?? ''}
      </p>
    </div>
  );
}
