'use client';
import { useId, useRef, type ReactNode } from 'react';
import { hideTip, showTip, Tip } from './tip';

/**
 * A sentence about a control, beside it while a mouse is over it or the control has the focus, which is also what a tap gives
 * it. `props` go to the control; `tip` stands next to it.
 */
export function useTold(meaning: string | undefined): {
  props: {
    'aria-describedby'?: string;
    onFocus: (e: { currentTarget: HTMLElement }) => void;
    onBlur: () => void;
    onPointerEnter: (e: { currentTarget: HTMLElement; pointerType: string }) => void;
    onPointerLeave: () => void;
  };
  tip: ReactNode;
} {
  const id = useId();
  const tip = useRef<HTMLSpanElement>(null);
  const hide = () => hideTip(tip.current);
  return {
    props: {
      ...(meaning === undefined ? {} : { 'aria-describedby': id }),
      onFocus: (e) => showTip(e.currentTarget, tip.current),
      onBlur: hide,
      onPointerEnter: (e) => {
        if (e.pointerType === 'mouse') showTip(e.currentTarget, tip.current);
      },
      onPointerLeave: hide,
    },
    tip:
      meaning === undefined ? null : (
        <Tip ref={tip} id={id}>
          {meaning}
        </Tip>
      ),
  };
}
